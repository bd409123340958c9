"""An interrupt waits until a lock is given back, and is not forgotten."""

import os
import signal
import threading

import pytest

import assay.__main__ as program
from assay.workspace.hold_interrupts import hold_interrupts, is_put_off
from assay.workspace.ledger.ledger import open_ledger


@pytest.fixture
def interrupted():
    """Interrupt this process as a terminal does."""
    before = signal.signal(signal.SIGINT, program._interrupt)

    def interrupt():
        signal.signal(signal.SIGINT, program._interrupt)
        os.kill(os.getpid(), signal.SIGINT)

    yield interrupt
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_is_raised_at_once_where_nothing_is_held(interrupted):
    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert not is_put_off()


def test_an_interrupt_waits_for_the_end_of_the_outermost(interrupted):
    done = []
    with pytest.raises(KeyboardInterrupt), hold_interrupts():  # noqa: PT012 - it is raised at the end
        with hold_interrupts():
            interrupted()
            done.append("inner")
        done.append("outer")
    assert done == ["inner", "outer"]
    with hold_interrupts():
        done.append("again")  # it was raised once
    assert done[-1] == "again"


def test_what_went_wrong_meanwhile_stays_behind_the_interrupt(interrupted):
    with pytest.raises(KeyboardInterrupt) as raised, hold_interrupts():  # noqa: PT012 - it is raised at the end
        interrupted()
        raise ValueError("a fault")
    assert isinstance(raised.value.__context__, ValueError)


def test_another_thread_puts_nothing_off():
    entered, over = threading.Event(), threading.Event()

    def hold():
        with hold_interrupts():
            entered.set()
            over.wait(60)

    thread = threading.Thread(target=hold)
    thread.start()
    assert entered.wait(60)
    assert not is_put_off()
    over.set()
    thread.join()


def test_an_interrupt_amid_a_transaction_leaves_the_ledger_usable(tmp_path, interrupted):
    book = open_ledger(tmp_path / "ledger.sqlite")
    database = book._database
    with pytest.raises(KeyboardInterrupt), database.writing() as connection:  # noqa: PT012 - it is raised at the end
        interrupted()
        connection.exec_driver_sql("CREATE TABLE written (number INTEGER)")
    assert database._engine.pool.checkedout() == 0
    assert not database._one_at_a_time.locked()
    with database.reading() as connection:  # all of it was written, and all of it can be read
        assert connection.exec_driver_sql("SELECT count(*) FROM written").scalar() == 0
    book.close()
