"""Invents orders one by one, spread over the forms of their issuers."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from random import Random

from training.invent.dataset import Invented
from training.invent.delivery import Delivery, deliver
from training.invent.orders.forms import Form, Order, print_order


@dataclass(frozen=True, slots=True)
class Orders:
    """Invents orders for television advertising.

    Attributes:
        seed: from which everything follows.
        issuers: how many there are, each with a form of its own.
        delivery: how they arrive.
    """

    seed: int = 0
    issuers: int = 40
    delivery: Delivery = field(default_factory=Delivery)

    def __call__(self, number: int) -> Invented:
        """Return the order of a number."""
        issuer = (number - 1) % self.issuers
        form = Form.drawn(Random(f"order form:{self.seed}:{issuer}"))
        random = Random(f"order:{self.seed}:{number}")
        printed = print_order(form, Order.drawn(random), random)
        damages = self.delivery.draw(random, printed.pages)
        delivered = deliver(printed.pdf, damages)
        labels = {
            "issuer_group": f"issuer-{issuer + 1}",
            "fields": printed.fields,
            "damage": [asdict(damage) for damage in damages],
        }
        return Invented(labels, delivered.data, delivered.suffix)
