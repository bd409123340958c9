"""Programs that restore a workspace slowly, and that upgrade one."""

import sys
import time
from pathlib import Path

from assay.workspace.backups import restore
from assay.workspace.backups.upgrade import upgrade_with_backup
from assay.workspace.locate import locate


def put_back(folder, file, mark, pause):
    """Restore in small parts, with a pause after each; a mark says that it replaces rows now."""

    def track(items, doing, *, total=None, unit=""):
        for item in items:
            if doing.startswith("restoring"):
                Path(mark).touch()
                time.sleep(float(pause))
            yield item

    restore.PAGES = 3
    restore.restore(locate(given=folder), file, force=True, track=track)


def upgrade(folder):
    """Upgrade a workspace, and say which backup was made."""
    print(upgrade_with_backup(locate(given=folder)) or "")  # noqa: T201


if __name__ == "__main__":
    {"restore": put_back, "upgrade": upgrade}[sys.argv[1]](*sys.argv[2:])
