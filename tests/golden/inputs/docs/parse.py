import json


def parse_settings(text):
    """Parse a configuration file and check every key."""
    settings = json.loads(text)
    for key in settings:
        check_key(key)
    return settings


def check_key(key):
    """Refuse keys that are not known."""
    if not key.isidentifier():
        raise KeyError(key)
