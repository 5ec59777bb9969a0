"""Towns, streets, phones and names of firms where Faker's are not what stands on paper there.

Faker gives Turkey the addresses of the United States, writes Hungary's town behind the street, and
of firms in Romania only the name. In the north it numbers houses 087, knows no quarters of a city,
and names Norway's towns after families.
"""

from __future__ import annotations

import re

from faker.providers import BaseProvider

_HUNGARIAN_TOWNS = (
    *("10## Budapest", "11## Budapest", "1138 Budapest", "402# Debrecen", "672# Szeged"),
    *("762# Pécs", "902# Győr", "352# Miskolc", "600# Kecskemét", "800# Székesfehérvár"),
    *("440# Nyíregyháza", "970# Szombathely", "330# Eger", "940# Sopron", "860# Siófok"),
    *("280# Tatabánya", "260# Vác", "820# Veszprém", "500# Szolnok", "710# Szekszárd"),
    *("2030 Érd", "2000 Szentendre", "8360 Keszthely", "5700 Gyula", "4200 Hajdúszoboszló"),
)
_HUNGARIAN_STREETS = (
    *("Petőfi Sándor", "Kossuth Lajos", "Rákóczi", "Váci", "Fő", "Ady Endre", "Dózsa György"),
    *("Arany János", "Széchenyi István", "Bajcsy-Zsilinszky", "József Attila", "Deák Ferenc"),
    *("Szent István", "Bem József", "Alkotmány", "Iskola", "Béke", "Hunyadi János", "Vörösmarty"),
)
_ROMANIAN_STREETS = (
    *("Mihai Eminescu", "Avram Iancu", "Unirii", "Victoriei", "Republicii", "Libertății"),
    *("Ștefan cel Mare", "Traian", "Nicolae Bălcescu", "1 Decembrie 1918", "Independenței"),
    *("Decebal", "Lungă", "Principală", "Horea", "Ion Creangă", "George Coșbuc", "Memorandumului"),
)
_ROMANIAN_TOWNS = (
    *("Cluj-Napoca, Jud. Cluj", "Brașov, Jud. Brașov", "Iași, Jud. Iași", "Timișoara, Timiș"),
    *("Constanta, jud. Constanta", "Sibiu", "Oradea, Jud. Bihor", "Mun. Craiova, Jud. Dolj"),
    *("Sector 1, București", "Sector 3, București", "BUCUREȘTI SECTOR 2", "Bucuresti, Sector 6"),
    *("Ploiești, Jud. Prahova", "Suceava, Jud. Suceava", "Com. Florești, Jud. Cluj", "Galați"),
    *("Oraș Voluntari, Jud. Ilfov", "Pitesti, Arges", "Arad, Jud. Arad", "Baia Mare, Maramureș"),
)
_TURKISH_TOWNS = (
    *("Kadıköy/İstanbul", "Beşiktaş / İSTANBUL", "Şişli/İSTANBUL", "Üsküdar / İstanbul"),
    *("Çankaya/Ankara", "Keçiören / ANKARA", "Konak/İzmir", "Bornova / İZMİR", "Nilüfer/Bursa"),
    *("Muratpaşa/Antalya", "Alanya / ANTALYA", "Seyhan/Adana", "Bodrum / Muğla", "Selçuklu/Konya"),
    *("Şehitkamil/Gaziantep", "Melikgazi/Kayseri", "Ortahisar / Trabzon", "Fatih/İstanbul"),
    *("Tepebaşı/Eskişehir", "İzmit/Kocaeli", "Ürgüp/Nevşehir", "Fethiye/MUĞLA", "Yenişehir/Mersin"),
)
_TURKISH_QUARTERS = (
    *("Caferağa", "Cumhuriyet", "Atatürk", "Yeni", "Merkez", "Bahçelievler", "Kültür", "Alsancak"),
    *("Kızılay", "Fevzi Çakmak", "Hürriyet", "İstiklal", "Barbaros", "Mimar Sinan", "Fatih"),
    *("Sinanpaşa", "Kemalpaşa", "Gazi Osman Paşa", "Zafer", "Yıldız", "Şirinyalı", "Çamlık"),
)
_TURKISH_STREETS = (
    *("Atatürk", "İnönü", "Bağdat", "Moda", "Cumhuriyet", "Gazi", "İstasyon", "Menderes"),
    *("Fevzi Paşa", "Lale", "Gül", "Çınar", "Okul", "Şehit Ali", "Mithatpaşa", "Karanfil"),
)


class _Local(BaseProvider):
    """Draws from the generator it is added to."""

    def _of(self, *forms: str) -> str:
        return str(self.numerify(self.random_element(forms)))


class Hungarian(_Local):
    """Hungary: the town stands before the street."""

    def address(self) -> str:
        """Return two lines."""
        kind = self._of("u.", "utca", "utca", "út", "tér", "krt.", "körút", "sor")
        street = f"{self._of(*_HUNGARIAN_STREETS)} {kind}"
        number = self._of("%.", "%#.", "1##.", "%/B", "%#-%#.", "%#. fszt. %.", "%#", "%/a.")
        return f"{self._of('', '', '', 'H-')}{self._of(*_HUNGARIAN_TOWNS)}\n{street} {number}"

    def phone_number(self) -> str:
        """Return a number of the fixed net or of a mobile."""
        return self._of(
            *("06 1 ### ####", "+36 30 ### ####", "(1) ###-####", "06-##/###-###"),
            *("06 70 ### ####", "06/##-###-###", "+36 1 ### ####", "+36-20/###-####"),
        )


class Romanian(_Local):
    """Romania: streets with their number, and the county."""

    def address(self) -> str:
        """Return two lines, the town first on some."""
        kind = self._of("Str.", "Str.", "STR.", "Strada", "B-dul", "Bd.", "Calea", "Aleea", "Șos.")
        number = self._of("nr. %#", "Nr. %", "NR.%#", "%#", "nr. %, bl. A%, sc. 1, ap. %", "nr %##")
        street = f"{kind} {self._of(*_ROMANIAN_STREETS)} {number}"
        town = self._of(*_ROMANIAN_TOWNS)
        lines = (street, f"{self._of('', '', '', '%##### ')}{town}")
        return "\n".join(lines if self._of("0", "0", "1") == "0" else lines[::-1])

    def company(self) -> str:
        """Return a firm in the long form that tills print."""
        name = self._of("{} {}", "{}", "{} & {}", "{} Com", "{} Prod").format(
            self.generator.last_name(), self.generator.last_name()
        )
        return self._of("S.C. {} S.R.L.", "SC {} SRL", "SC {} SA", "{} S.R.L.").format(name)


class Turkish(_Local):
    """Turkey: quarter, street, number, and district with province."""

    def city(self) -> str:
        """Return a district."""
        return self._of(*_TURKISH_TOWNS).split("/")[0].strip()

    def company(self) -> str:
        """Return a firm; some of Faker's are real."""
        trade = self._of("Gıda", "Turizm", "Petrol", "Otomotiv", "Tekstil", "İnşaat", "Mağazacılık")
        legal = self._of("San. ve Tic. Ltd. Şti.", "A.Ş.", "SAN. VE TİC. A.Ş.", "Tic. Ltd. Şti.")
        return f"{self.generator.last_name()} {trade} {legal}"

    def address(self) -> str:
        """Return two lines."""
        quarter = f"{self._of(*_TURKISH_QUARTERS)} {self._of('Mah.', 'Mah.', 'MAH.', 'Mahallesi')}"
        street = self._of(
            *(
                f"{name} {self._of('Cad.', 'Cad.', 'Sok.', 'Sk.', 'Cd.')}"
                for name in _TURKISH_STREETS
            ),
            *("%### Sok.", "%##. Sokak", "%### Sk."),
        )
        number = self._of("No:%", "No: %#", "No:%#/A", "NO:%", "No:%/%", "No: %# D:%", "No %")
        code = self._of("", "", "34###", "0%###")
        return f"{quarter} {street} {number}\n{code} {self._of(*_TURKISH_TOWNS)}".replace(
            "\n ", "\n"
        )

    def phone_number(self) -> str:
        """Return a number of the fixed net, a mobile, or of a whole firm."""
        return self._of(
            *("0212 ### ## ##", "0216 ### ## ##", "0 (312) ### ## ##", "+90 232 ### ## ##"),
            *("0 5## ### ## ##", "444 % ###", "(0242) ### ####", "+90 5## ### ## ##"),
        )


class _Northern(_Local):
    """A street, and below it the postcode and the town."""

    postcodes: tuple[str, ...]
    towns: tuple[str, ...]

    def address(self) -> str:
        """Return two lines."""
        street = re.sub(r" 0+(?=\d)", " ", str(self.generator.street_address()))
        if street[-1].isdigit():
            street += self._of(*[""] * 30, " A", " B", " C 12", " A 4", "b")
        town = self._of(*self.towns, *[str(self.generator.city()) for _ in self.towns])
        town = self.random_element((town, town, town.upper()))
        return f"{street}\n{self._of(*self.postcodes)} {town}"


class Swedish(_Northern):
    """Sweden."""

    postcodes = (*["%## ##"] * 7, *["%####"] * 4, "SE-%## ##", "S-%## ##")
    towns = ("Stockholm", "Göteborg", "Malmö", "Västra Frölunda", "Solna", "Umeå")


class Danish(_Northern):
    """Denmark."""

    postcodes = (*["%###"] * 11, "DK-%###")
    towns = ("København K", "København N", "Aarhus C", "Odense C", "Aalborg", "Frederiksberg")


class Norwegian(_Northern):
    """Norway."""

    postcodes = (*["####"] * 11, "NO-####", "N-####")
    towns = ("Oslo", "Bergen", "Trondheim", "Stavanger", "Tromsø", "Bodø", "Ålesund", "Hamar")


class Finnish(_Northern):
    """Finland."""

    postcodes = (*["#####", "00##0"] * 6, "FI-#####")
    towns = ("Helsinki", "Tampere", "Turku", "Oulu", "Espoo", "Jyväskylä", "Vantaa")


PROVIDERS: dict[str, type[BaseProvider]] = {
    "da_DK": Danish,
    "fi_FI": Finnish,
    "hu_HU": Hungarian,
    "no_NO": Norwegian,
    "ro_RO": Romanian,
    "sv_SE": Swedish,
    "tr_TR": Turkish,
}
"""What is drawn instead of Faker's, by Faker's locale."""
