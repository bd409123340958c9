"""`assay serve` with a request that never ends: python -m tests.server.slow_service OPTIONS."""

import assay.server.serve as module
from assay.__main__ import main

_make_app = module.make_app
FOREVER = "/api/v1/forever"


def _make_slow_app(service):
    app = _make_app(service)

    @app.get(FOREVER)
    def forever():
        while True:
            sum(range(1_000))

    return app


if __name__ == "__main__":
    module.make_app = _make_slow_app
    main()
