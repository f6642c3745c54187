"""Running a study: what is not known yet is claimed, computed and stored, fold by fold.

One coordinator writes; several on one store share the work. A run may end anywhere: what is done
is kept, and the next run goes on.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping

from lastviz.datasets import Dataset

from .coordinator import Coordinator, FoldEvent, Progress, holder_here
from .estimate import Estimate, time_left
from .store import Store, StoreError
from .study import Study
from .tasks import compute, facts_of, plan
from .workers import workers_of

LEASE = 120.0  # seconds


def run(
    study: Study,
    store: Store,
    *,
    owner: str = "",
    given: Mapping[str, Dataset] | None = None,
    n_workers: int | None = None,
    scheduler: str | None = None,
    retry_failed: bool = False,
    lease: float = LEASE,
) -> Generator[FoldEvent | Progress]:
    """Compute what is missing of a study.

    Closing the generator pauses; so does a state "paused" or "cancelled" that anybody notes in
    the store. Running again goes on.

    Parameters
    ----------
    study : Study
    store : Store
    owner : str, default ""
        Token of whom the study belongs to.
    given : mapping of str to Dataset, optional
        Data sets beside those of the registry, by the key under which the study names them.
    n_workers, scheduler
        As :func:`lastviz.studies.workers.workers_of` takes them.
    retry_failed : bool, default False
        Whether failed folds are computed again.
    lease : float, default 120
        Seconds after which others take over what a coordinator that died has claimed.

    Yields
    ------
    Progress
        First, while others are waited for, and last.
    FoldEvent
        For each fold as soon as it is stored.

    Raises
    ------
    StoreError, WorkersError
        One sentence; what is done is kept.
    """
    cells, data = plan(study, given)
    study_id = store.register(study, cells, owner)
    if retry_failed:
        store.forget_failed(study_id)
    coordinator = Coordinator(store, study_id, cells, lease)
    store.set_state(study_id, "running")
    yield coordinator.progress("running")
    if not coordinator.left:
        store.set_state(study_id, "done")
        yield coordinator.progress("done")
        return
    end, reachable = "paused", True
    try:
        with workers_of(data, n_workers, scheduler) as workers:
            end = yield from coordinator.work(workers)
    except StoreError:
        reachable = False
        raise
    finally:
        if reachable:
            coordinator.leave(end)
    yield coordinator.progress(end)


def estimate(
    study: Study,
    store: Store,
    *,
    given: Mapping[str, Dataset] | None = None,
    n_workers: int = 1,
    owner: str = "",
    try_out: bool = False,
) -> Estimate:
    """Tell how long a study takes, from earlier folds of its cells.

    With `try_out` one fold of each cell without any is computed, and stored, as far as nobody
    else computes it.
    """
    cells, data = plan(study, given)
    study_id = store.register(study, cells, owner)
    known, usual = store.finished(study_id), store.usual_seconds()
    if try_out:
        holder = holder_here()
        for cell in cells:
            task = next((t for _, t in cell.tasks if t.key not in known), None)
            if task is None or facts_of(task) in usual:
                continue
            if store.claim([task], holder, 10 * LEASE):
                outcome = compute(task, data[task.data])
                store.save([outcome])
                if not outcome.reason:
                    usual[facts_of(task)] = outcome.seconds
        known = store.finished(study_id)
    return time_left(cells, known, usual, n_workers)
