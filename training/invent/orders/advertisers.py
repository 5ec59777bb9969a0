"""Who advertises in invented orders: people, causes, offices, and how forms write names."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

FIRST = ("Ruth", "Calvin", "Elena", "Marcus", "Joan", "Peter", "Amara", "Owen", "Lydia",
         "Victor", "Denise", "Harold", "Ines", "Walt", "Bridget", "Tomas", "Carla", "Edwin",
         "Naomi", "Russell", "Paula", "Clint", "Yvette", "Gordon", "Shauna", "Dale", "Miriam",
         "Leo", "Tessa", "Hugh")  # fmt: skip
LAST = ("Abbott", "Delgado", "Farrow", "Kessler", "Moreno", "Nakata", "Pruitt", "Sandoval",
        "Voss", "Ashby", "Bellamy", "Crane", "Dunleavy", "Eastwick", "Fontaine", "Garrity",
        "Hollis", "Ibarra", "Jessup", "Kowalczyk", "Lindqvist", "McAllen", "Norwood", "O'Hara",
        "Pemberton", "Quigley", "Rasmussen", "St. Clair", "Tillman", "Underhill", "Van Horn",
        "Whitcomb", "Yates", "Zeller")  # fmt: skip
_CAUSES = ("Clean Rivers", "Fair Roads", "Open Harbors", "Better Schools", "Safe Homes",
           "Main Street", "Prairie Majority", "Rural Hospitals", "Lower Premiums",
           "Working Parents", "Honest Courts", "Patients First", "Our Coast", "Sound Budgets",
           "New Frontier", "Steady Hands", "Independent Farmers", "Community Pharmacies",
           "Veterans Together", "Tomorrow's Jobs")  # fmt: skip
_BODIES = ("PAC", "Action Fund", "Leadership Fund", "Victory Fund", "Association", "Coalition",
           "Alliance", "Project", "Committee", "Super PAC", "Inc", "Foundation", "IE")  # fmt: skip
_STATES = ("OH", "IA", "MT", "GA", "KS", "WI", "NC", "ME", "AZ", "UT", "PA", "NM")
_SEATS = ("US Senate", "Senate", "Congress", "Governor", "State House 12", "Mayor",
          "Supreme Court", "President", "Attorney General", "County Treasurer", "City Council",
          "District Judge", "Sheriff", "State Senate", "Secretary of State",
          "School Board")  # fmt: skip
_SHORT = ("SEN", "PRES", "GOV", "HSE", "CD 3", "ST HSE", "MAYOR", "JUDGE")
_PARTIES = ("-D", "-R", " - D", " (R)", "-I", " (D)")


def advertiser(random: Random) -> str:
    """Return the name of an advertiser that does not exist."""
    first, last, seat = random.choice(FIRST), random.choice(LAST), random.choice(_SEATS)
    state, cause, party = random.choice(_STATES), random.choice(_CAUSES), random.choice("DRI")
    year = random.choice((" 2020", "", ""))
    # A candidate's name, then what stands for the office.
    people: tuple[Callable[[], str], ...] = (
        lambda: f"{first} {last} for {seat}",
        lambda: f"{last} for {seat}{year}",
        lambda: f"{first} {last} for {state} {seat}",
        lambda: f"Friends of {first} {last}",
        lambda: f"Committee to Elect {first} {last}",
        lambda: f"Re-Elect {first} {last} for {seat}",
        lambda: f"Citizens for {first} {last}",
        lambda: f"{first} for {state}",
        lambda: f"{first} {last}",
        lambda: f"{first} {last}{year} Inc",
        lambda: f"{last} 2020, Inc",
        lambda: f"{last}, {first} - {state} {seat}",
        lambda: f"{last}, {first}",
    )
    others: tuple[Callable[[], str], ...] = (
        lambda: f"POL/{first} {last}/{seat}",
        lambda: f"POL/ {first} {last} / {party} / {random.choice(_SHORT)} / {state}",
        lambda: f"POLI/{first[0]} {last}/{party}/{random.choice(_SHORT)}/{state}",
        lambda: f"{last}/{party}/{seat}",
        lambda: f"ISS/{cause} {random.choice(_BODIES)}",
        lambda: f"{cause} {random.choice(_BODIES)}",
        lambda: f"{cause} {random.choice(_BODIES)}",
        lambda: f"{random.choice(('Citizens', 'Americans', 'Voters'))} for {cause}",
        lambda: f"{cause} {state}",
        lambda: cause,
        lambda: "".join(word[0] for word in f"{cause} {random.choice(_BODIES)} {state}".split()),
    )
    if random.random() < 0.6:
        name = random.choice(people)()
        name += random.choice(_PARTIES) if random.random() < 0.25 else ""
    else:
        name = random.choice(others)()
    return name.upper() if random.random() < 0.2 else name
