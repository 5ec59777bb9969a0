"""The Celery application: three queues of hints in Redis, JSON only, and no results.

A message says that there is work for a stage; it names a job, but what is done is the best job of
that stage in the job store (`workers.broker.node`). So a message that is lost costs a delay,
one that comes twice or late finds nothing to do, and a forged one can start nothing.

Redis is never the store: what it holds may be thrown away at any moment. Messages are
acknowledged when their work is done. Where a process dies over one, the message is acknowledged
all the same: the job comes back when its lease runs out, and the job store counts the attempts;
a message that came back by itself would start the same poison for ever. The visibility timeout
is longer than any message takes, so none is delivered again while it is being worked at.
"""

from __future__ import annotations

import ssl

from celery import Celery
from redis import Redis

from store.jobs import STAGES
from store.settings import Settings

PREFIX = "fieldwright:"
ENDS = f"{PREFIX}ends"  # the channel on which the ends of jobs are told
TURN_S = 10.0  # after so many seconds a process takes no further job on the same message

_GRACE_S = 60.0  # beyond a document's time limit: then the process is killed from outside
_BROKER_PATIENCE_S = 10.0  # of a worker, which has nothing to do without its broker
_ANNOUNCER_PATIENCE_S = 1.0  # of an announcer, which the sweeper makes up for
_LONGEST_WAIT_S = 3600.0


def task_name(stage: str) -> str:
    """Return the name of the task of a stage."""
    return f"fieldwright.{stage}"


def connect(settings: Settings) -> Redis:
    """Return a client of the broker itself, which waits for a second at most."""
    return Redis.from_url(settings.broker_url, socket_timeout=1.0, socket_connect_timeout=1.0)


def build_app(settings: Settings, *, announcing: bool = False) -> Celery:
    """Return the application of an installation.

    Args:
        settings: of the installation, with its broker.
        announcing: it only sends, and gives up after a second.
    """
    limit = settings.document_timeout_s + TURN_S + _GRACE_S
    visibility = max(_LONGEST_WAIT_S, 2 * limit)
    patience = _ANNOUNCER_PATIENCE_S if announcing else _BROKER_PATIENCE_S
    app = Celery("fieldwright", broker=settings.broker_url, set_as_current=False)
    app.conf.update(
        accept_content=["json"],
        task_serializer="json",
        result_serializer="json",
        result_accept_content=["json"],
        broker_use_ssl=_verified(settings.broker_url),
        result_backend=None,
        task_ignore_result=True,
        task_acks_late=True,
        task_acks_on_failure=True,
        task_acks_on_timeout=True,
        task_reject_on_worker_lost=False,
        task_time_limit=limit,
        task_queues={stage: {"exchange": stage, "routing_key": stage} for stage in STAGES},
        task_routes={task_name(stage): {"queue": stage} for stage in STAGES},
        task_create_missing_queues=False,
        task_default_queue=STAGES[0],
        visibility_timeout=visibility,
        broker_connection_timeout=patience,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_transport_options={
            "global_keyprefix": PREFIX,
            "visibility_timeout": visibility,
            "unacked_restore_interval": 10,
            "unacked_restore_throttle": 1,
            "socket_timeout": patience,
            "socket_connect_timeout": patience,
            "socket_keepalive": True,
            "max_retries": 0 if announcing else 3,
        },
        worker_prefetch_multiplier=1,
        worker_cancel_long_running_tasks_on_connection_loss=False,
        worker_enable_remote_control=False,  # who reaches the broker must not command workers
        worker_send_task_events=False,
        worker_hijack_root_logger=False,
        worker_redirect_stdouts=False,
        worker_proc_alive_timeout=60.0,
    )
    return app


def _verified(url: str) -> dict[str, object] | None:
    """Have the broker's certificate verified, as kombu does only where it is told so.

    What the address says of TLS, such as whose certificates are believed, comes before this.
    """
    return {"ssl_cert_reqs": ssl.CERT_REQUIRED} if url.startswith("rediss://") else None
