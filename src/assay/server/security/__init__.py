"""A request -> the same request, if it may reach a handler; else a refusal that is logged."""
