import time


def retry_request(send, times=3):
    """Send a request again when it failed, with a longer pause each time."""
    for turn in range(times):
        try:
            return send()
        except ConnectionError:
            time.sleep(2**turn)
    raise ConnectionError("gave up")
