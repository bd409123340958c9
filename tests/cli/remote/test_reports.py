"""Reports of a service by name: the newest that has one, and a note where several have it."""

import json

from sqlalchemy import text
from tests.cli.remote.test_run import RUN, create, report

from assay.cli import start
from assay.workspace.ledger._worker import worker_name


def test_of_several_with_a_name_the_newest_is_noted(run_it, assay, folder):
    report(run_it(*RUN, "--json"))
    second = report(run_it(*RUN, "--json"))["id"]
    code, out, err = assay("show", folder.name, "--json")
    assert code == 0
    assert json.loads(out)["id"] == second
    assert f'2 benchmarks are named "{folder.name}"; this is the newest' in err
    assert second[:8] in err


def test_the_newest_without_a_report_is_passed_over(run_it, assay, client, folder):
    first = report(run_it(*RUN, "--json"))["id"]
    waiting = create(client, folder.name)
    code, out, err = assay("show", folder.name, "--json")
    assert code == 0
    assert json.loads(out)["id"] == first
    assert f"{waiting[:8]}, is pending and has no report" in err


def test_one_with_a_name_needs_no_note(run_it, assay, folder):
    report(run_it(*RUN, "--json"))
    _, _, err = assay("show", folder.name, "--json")
    assert "are named" not in err


def test_what_a_service_left_continues_with_the_service(run_it, client, service, folder, capsys):
    report(run_it(*RUN, "--json"))
    id_ = create(client, "left", started=True)
    dead = f"{worker_name().partition('/')[0]}/999999999/1"
    with service.ledger._database.writing() as connection:  # as a worker that was killed leaves it
        told = {"id": id_, "worker": dead}
        connection.execute(text("UPDATE benchmarks SET worker = :worker WHERE id = :id"), told)
    assert start(["show", "--workspace", str(service.place.folder)]) == 0
    err = capsys.readouterr().err
    assert "continues when the service runs again" in err
    assert "same command" not in err
