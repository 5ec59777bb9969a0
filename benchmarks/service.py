"""The load of `fieldwright benchmark service` on the production topology of this machine.

Usage: python -m benchmarks.service [--model receipts] [--requests 100] [--batch 500]

API, a worker that reads, one that tags and resolves, Redis and PostgreSQL, each a process of its
own, are started as `docs/deploy.md` has them, with the settings of production; torch computes on
one core each. The processor time of a job is that of API and workers: Redis and PostgreSQL are not
counted. The service of one command is measured by `fieldwright benchmark service` itself.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

from benchmarks.machine import machine
from cli.measuring.requests import Plan, Target, measure, overload, patience_of
from cli.measuring.service import report
from store.settings import Settings
from tests.faults.topology import Topology, topology
from tests.servers import RedisServer, running_postgres

_QUEUES = ("read", "tag,resolve")
_PACED = ("lease_seconds", "heartbeat_seconds", "sweep_seconds", "announce_seconds")


def paced() -> dict[str, object]:
    """Return the settings of production where those of tests are quicker."""
    return {name: Settings.model_fields[name].default for name in _PACED}


def targeted(service: Topology, model: str) -> Target:
    """Return a running topology as the target of a load, its webhook taken away."""
    for hook in service.client.get("/webhooks").json()["webhooks"]:
        service.client.delete(f"/webhooks/{hook['id']}").raise_for_status()
    processes = tuple(group.pid for group in service.groups.values())
    return Target(str(service.client.base_url), processes, None, model)


def say(text: str) -> None:
    """Tell what is done next."""
    print(text, file=sys.stderr)


def main() -> None:
    """Print the machine and the report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="receipts")
    parser.add_argument("--requests", type=int, default=100)
    parser.add_argument("--duration", type=float, default=20.0)
    parser.add_argument("--rate", type=float, default=0.0)
    parser.add_argument("--batch", type=int, default=500)
    arguments = parser.parse_args()
    os.environ["OMP_NUM_THREADS"] = "1"
    plan = Plan(arguments.requests, arguments.duration, arguments.rate, arguments.batch)
    settings = {**paced(), "model": arguments.model}
    with tempfile.TemporaryDirectory() as folder, running_postgres() as postgres:
        redis = RedisServer(Path(folder) / "redis").start()
        try:
            home = Path(folder) / "home"
            home.mkdir()
            url = postgres.new_database()
            with topology(home, redis, url, queues=_QUEUES, **settings) as service:
                found = measure(targeted(service, arguments.model), plan, say)
                service.groups["api"].stop()
                patience = str(patience_of(plan))
                service.start_one("api", FIELDWRIGHT_MAX_QUEUE_SECONDS=patience)
                flood = overload(targeted(service, arguments.model), plan, found, say)
        finally:
            redis.stop()
    print(f"{machine()}.\n")
    print("\n".join(report(found, flood, plan)))


if __name__ == "__main__":
    main()
