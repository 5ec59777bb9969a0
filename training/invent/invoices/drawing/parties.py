"""Companies and people, with names as they have them in each country."""

from __future__ import annotations

import random

from babel import Locale
from faker import Faker

from training.invent.invoices.content import Party
from training.invent.invoices.countries import Country, tax_id
from training.invent.invoices.words import WORDS
from training.invent.made_up import made_up


def draw_party(
    rng: random.Random, country: Country, *, private: bool = False, addressed: bool = False
) -> Party:
    """Return a company of a country, or a private person.

    Args:
        rng: source of all chance.
        country: where it sits.
        private: a person.
        addressed: a letter goes there: with a salutation or somebody's attention here and there.
    """
    captions = WORDS[country.language].captions
    faker = made_up(country.faker)
    faker.seed_instance(rng.getrandbits(48))
    lines = [line.strip(" ,") for line in faker.address().splitlines() if line.strip(" ,")]
    account = faker.iban() if country.has_iban else ""
    if rng.random() < 0.2:
        land = str(Locale.parse(country.locale).territories[country.code])
        lines.append(f"{land} - {faker.city()}" if rng.random() < 0.1 else land)
    if rng.random() < 0.2:
        for _ in range(rng.choice((1, 1, 2, 3))):
            lines.insert(rng.randrange(2), _part_of_building(rng))
    if rng.random() < 0.1:
        lines = [line.upper() for line in lines]
    salutation = attention = ""
    salutations = [one for one in captions["salutation"] if (one in OF_FIRMS) is not private]
    if addressed and salutations and rng.random() < (0.5 if private else 0.1):
        salutation = rng.choice(salutations)
    if addressed and not private and rng.random() < 0.45:
        wording = rng.choice((*captions["attn"], "{name}", "{name}"))
        attention = wording.format(name=faker.name())
    return Party(
        name=faker.name() if private else _company(rng, faker, country),
        lines=tuple(lines),
        tax_id=tax_id(country, rng),
        iban=account,
        phone=faker.phone_number(),
        email=faker.company_email(),
        contact=faker.name(),
        salutation=salutation,
        attention=attention,
        before=rng.random() < 0.2,
    )


def _part_of_building(rng: random.Random) -> str:
    form = rng.choice(("{} {}", "{} {}", "{}{}", "{}-{}"))
    part = rng.choice(("Suite", "Block", "Tor", "Hall", "Box", "Building", "Unit", "Level", "Apt."))
    return form.format(part, rng.choice((rng.randrange(1, 400), rng.choice("ABCDEFK"))))


OF_FIRMS = ("Firma", "Messrs", "Société", "Empresa", "Spett.le")
"""What stands above the name of a firm, where people have a salutation; it is no part of it."""
LEGAL_FORMS = {
    "de": ("GmbH", "GmbH & Co. KG", "AG", "e.K.", "KG", "UG (haftungsbeschränkt)", "OHG"),
    "fr": ("SARL", "SAS", "SA", "EURL", "et Fils", "SASU"),
    "en": ("Ltd", "Limited", "LLC", "Inc.", "PLC", "& Sons", "Group", "Co."),
    "es": ("S.L.", "S.A.", "S.L.U.", "S. Coop.", "S.A. de C.V."),
    "it": ("S.r.l.", "S.p.A.", "S.n.c.", "di {last} {first}", "S.a.s."),
    "nl": ("B.V.", "N.V.", "VOF", "Holding B.V."),
    "pl": ("Sp. z o.o.", "S.A.", "Sp. j.", "s.c."),
    "pt": ("Lda.", "S.A.", "Unipessoal Lda.", "& Filhos, Lda."),
}
# Words of names that stand in front of, or behind, the name of a family or a place.
_CRAFTS = {
    "de": ("Autohaus", "Malerbetrieb", "Stadtwerke", "Hotel", "Praxis", "Kanzlei", "Bäckerei",
           "Grundbesitz", "Verkehrsbetriebe", "Elektro", "Sanitär", "Ingenieurbüro", "Druckerei",
           "Fahrschule", "Taxi", "Gemeinde", "Verein", "Apotheke", "Hausverwaltung", "Musikschule"),
    "en": ("Plumbing & Heating", "Consulting", "Hotel", "City of", "Garage", "Clinic", "Studio",
           "Energy", "Telecom", "Logistics", "Bakery", "Law Offices of", "University", "Motors",
           "Dental Care", "Web Design", "Cleaning Services", "Landscaping", "Trust", "Supplies"),
    "fr": ("Atelier", "Mairie de", "Hôtel", "Cabinet", "Garage", "Boulangerie", "Transports",
           "Communauté de communes de", "Imprimerie", "Plomberie", "Syndic", "Énergie"),
    "es": ("Talleres", "Ayuntamiento de", "Hotel", "Clínica", "Gestoría", "Panadería",
           "Transportes", "Imprenta", "Fontanería", "Energía", "Farmacia", "Asociación"),
    "it": ("Officina", "Comune di", "Albergo", "Studio", "Autotrasporti", "Panificio", "Tipografia",
           "Condominio", "Energia", "Idraulica", "Farmacia", "Ristorante"),
    "nl": ("Garage", "Gemeente", "Hotel", "Praktijk", "Bakkerij", "Transport", "Drukkerij",
           "Installatiebedrijf", "Stichting", "Energie", "Apotheek", "Schildersbedrijf"),
    "pl": ("Zakład", "Gmina", "Hotel", "Kancelaria", "Piekarnia", "Transport", "Drukarnia",
           "Przedsiębiorstwo", "Fundacja", "Energia", "Apteka", "Usługi"),
    "pt": ("Oficina", "Câmara Municipal de", "Hotel", "Clínica", "Padaria", "Transportes",
           "Gráfica", "Condomínio", "Energia", "Canalizações", "Farmácia", "Restaurante"),
}  # fmt: skip
_TRADES = (
    *("Nova", "Tek", "Print", "Alpin", "Delta", "Orbit", "Metall", "Bau", "Clima", "Data", "Eco"),
    *("Fresh", "Hydro", "Inter", "Logi", "Medi", "Office", "Pack", "Solar", "Trans"),
    *("Vita", "Wood"),
)
_FIRST_WORDS = (
    *("Northern", "United", "Bright", "Silver", "First", "Smart", "Blue", "Grand", "Modern"),
    *("Pacific", "Central", "Royal", "Summit", "Harbor", "Green", "Swift", "Noble", "Metro"),
)
_MIDDLE_WORDS = (
    *("Retail", "Digital", "Food", "Travel", "Garden", "Power", "Media", "Safety", "Freight"),
    *("Fashion", "Marine", "Health", "Paper", "Sport", "Tool", "Coffee", "Glass", "Event"),
)
_LAST_WORDS = (
    *("Services", "Systems", "Partners", "International", "Works", "Company", "Holding", "Corp."),
    *("Trading", "Store", "Labs", "Agency", "Consultants", "Industries", "Online", ""),
)


def _company(rng: random.Random, faker: Faker, country: Country) -> str:
    """Return a company's name: Faker's, or one of parts, in several ways of writing."""
    manner = rng.random()
    if manner < 0.12:  # plain words, as in every country
        words = (rng.choice(_FIRST_WORDS), rng.choice(_MIDDLE_WORDS), rng.choice(_LAST_WORDS))
        name = " ".join(words[rng.choice((0, 0, 1)) :]).strip()
    elif manner < 0.35:
        name = str(faker.company())
    elif manner < 0.6:
        craft = rng.choice(_CRAFTS[country.language])
        family = str(rng.choice((faker.last_name, faker.city))())
        name = rng.choice((f"{craft} {family}", f"{family} {craft}", f"{craft} {faker.name()}"))
        if rng.random() < 0.4:
            name = f"{name} {rng.choice(LEGAL_FORMS[country.language][:3])}"
    else:
        last, first = str(faker.last_name()), str(faker.first_name())
        trade = rng.choice(_TRADES) + rng.choice(
            ("", "line", "werk", "med", "tech", "a", "is", "co")
        )
        stem = rng.choice(
            (last, f"{last} {trade}", f"{trade} {last}", f"{last} & {faker.last_name()}", trade)
        )
        form = rng.choice(LEGAL_FORMS[country.language]).format(last=last, first=first)
        name = f"{stem} {form}"
    if rng.random() < 0.12:
        name = name.upper()
    return name


def draw_brand(rng: random.Random, vendor: Party, country: Country) -> str:
    """Return what a company is known by: its name without its legal form, a part, or another."""
    core = vendor.name
    for form in sorted(LEGAL_FORMS[country.language], key=len, reverse=True):
        core = core.removesuffix(f" {form}").removesuffix(f" {form.upper()}").rstrip(" ,")
    craft = rng.choice(_CRAFTS[country.language])
    other = f"{rng.choice(_FIRST_WORDS)} {rng.choice(_MIDDLE_WORDS)}"
    made = rng.choice(_TRADES) + rng.choice(("line", "werk", "med", "tech", "is", "co", "io"))
    place = vendor.lines[-1].split()[-1].title()
    brand = rng.choice(
        (core, core, core.split()[0], f"{core.split()[0]}.", f"{craft} {place}", other, made)
    )
    if brand == vendor.name:
        brand = made
    return rng.choice((brand, brand, brand.upper(), brand.lower()))
