"""Commands with --url: the same work by a service, shown as if it had been done here."""
