"""First turns of a run through the Message Batches API: their replies wait in the run's folder until they are used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing

from tieout.agent.backends.anthropic_backend import AnthropicBackend
from tieout.agent.protocol.message import Backend, BackendError, Request
from tieout.agent.session import Session
from tieout.agent.workspace import Settings
from tieout.data.files import write_whole
from tieout.eval.run.manifest import RunError
from tieout.eval.run.message_batches import ask_in_batches, written
from tieout.eval.run.reports import KeptReports
from tieout.eval.run.work import Job, Setup, Stopped, ready_backend
from tieout.kg.build import build
from tieout.ontology.model import Ontology


def prefetch(setup: Setup, jobs: Iterable[Job]) -> None:
    """Asks for the first turns of conversations that were not begun yet; nothing where that was done before.

    The ids of batches are kept beside the replies, so that one that was sent is waited for and not sent again. Raises
    RunError where the backend is no endpoint of the Messages API, Stopped at a limit, PriceError, BackendError.
    """
    path = setup.replies
    if path.exists():
        return
    if reason := setup.limits.reached(0.0):
        raise Stopped(reason)
    ids = path.with_suffix(".id")
    with closing(_endpoint(setup)) as backend:
        backend.bounds.deadline = setup.limits.deadline
        try:
            replies = ask_in_batches(backend, _first_requests(setup, backend, jobs), ids=ids)
        except BackendError as error:
            raise Stopped(str(error)) if error.outcome == "limit" else error from None
    write_whole(path, "".join(written(replies)))


def _endpoint(setup: Setup) -> AnthropicBackend:
    made = ready_backend(setup.backend, setup.limits)
    if not isinstance(made, AnthropicBackend):
        raise RunError(f"--batch is for the backend anthropic:<model>, not {setup.backend!r}")
    return made


def _first_requests(setup: Setup, backend: Backend, jobs: Iterable[Job]) -> Iterator[Request]:
    ontology = Ontology.load(setup.ontology)
    settings = Settings.model_validate(setup.settings)
    with closing(KeptReports(setup.shelf)) as reports:
        yield from _of_jobs(jobs, ontology, backend, settings, reports)


def _of_jobs(
    jobs: Iterable[Job], ontology: Ontology, backend: Backend, settings: Settings, reports: KeptReports
) -> Iterator[Request]:
    for job in jobs:
        if job.questions and not job.log.exists():
            if job.reports:
                session = Session(reports.open(job.reports, job.document.id), backend, settings)
            else:
                session = Session(build(job.document, ontology), backend, settings, document=job.document)
            yield session.request(job.questions[0])
