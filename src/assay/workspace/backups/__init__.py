"""A copy of a workspace's database: made, put back, and made before an upgrade."""
