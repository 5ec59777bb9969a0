"""Messages that the service itself did not send: doubled, late, or forged."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from store.settings import Settings
from tests.servers import RedisServer
from workers.broker.celery_app import build_app, task_name


def announce(
    redis: RedisServer, stage: str, job_ids: Iterable[Any], *, serializer: str = "json"
) -> None:
    """Send a message of a stage for each of these, as the service would.

    Args:
        redis: the broker.
        stage: queue of the message.
        job_ids: ids of jobs, or what a forger puts in their place.
        serializer: ``json``, or what a forger hopes to be understood.
    """
    app = build_app(Settings(broker_url=redis.url, env="test"), announcing=True)
    try:
        with app.producer_or_acquire() as producer:
            for job_id in job_ids:
                app.send_task(
                    task_name(stage),
                    args=[job_id],
                    producer=producer,
                    retry=False,
                    serializer=serializer,
                )
    finally:
        app.close()
