"""Polish."""

from training.invent.invoices.words.base import words

POLISH = words(
    captions="""
title: Faktura VAT | FAKTURA | Faktura | Faktura sprzedaży | Rachunek | Faktura końcowa | Faktura za energię
credit_title: Faktura korygująca | Korekta faktury | FAKTURA KORYGUJĄCA
number: Faktura nr | Nr faktury | Numer faktury | Numer | Faktura VAT nr | Nr | Nr dokumentu | Numer dokumentu | Nr dok. | Nr ref. | Rachunek nr | Znak | Nr sprawy | Nr paragonu | Nr noty | Nr rozliczenia | Sygnatura
date: Data wystawienia | Data faktury | Data | Wystawiono dnia | Z dnia | Data dokumentu
due: Termin płatności | Termin zapłaty | Płatne do | Zapłata do dnia | Do zapłaty do dnia | Zapłata do | Płatność do
order: Nr zamówienia | Zamówienie | Numer zamówienia | Państwa zamówienie | Zam. nr
customer_id: Nr klienta | Kod klienta | Numer klienta | Nr nabywcy
delivery: Data sprzedaży | Data dostawy | Data wykonania usługi | Dostarczono
period: Okres | Okres rozliczeniowy | Za okres | Okres świadczenia usług
vendor_tax: NIP | NIP sprzedawcy | NIP UE | VAT UE | Nr NIP
customer_tax: NIP | NIP nabywcy | NIP klienta
bill_to: Nabywca | Płatnik | Klient | Kupujący | Odbiorca faktury | Dla | Dane nabywcy
ship_to: Odbiorca | Adres dostawy | Miejsce dostawy | Punkt poboru
contact: Osoba kontaktowa | Wystawił | Kontakt
pos: Lp. | L.p. | Poz. | #
code: Kod | Indeks | Symbol | Kod towaru
description: Nazwa towaru lub usługi | Nazwa | Opis | Towar/usługa | Nazwa towaru | Usługa
quantity: Ilość | Ilosc | Szt. | Il. | Liczba | Godz.
unit: J.m. | Jm | Jedn.
price: Cena netto | Cena jedn. | Cena jedn. netto | Cena | Stawka
discount: Rabat | Rabat % | Upust
rate: VAT | Stawka VAT | VAT % | % VAT
amount: Wartość netto | Wartość | Kwota netto | Razem netto | Kwota | Netto | Wart. netto | Razem
subtotal: Razem netto | Wartość netto | Suma netto | Netto | Kwota netto | Netto razem
total_discount: Rabat | Upust | Rabat łącznie
tax: VAT | VAT {rate} | Kwota VAT | Podatek VAT {rate} | Podatek VAT | PTU {rate} | {rate} VAT
total_tax: Razem VAT | Kwota VAT | Suma VAT | Podatek | VAT razem
tax_within: w tym VAT {rate} | w tym VAT | zawiera VAT {rate} | W tym podatek
trading: {brand} jest marką {name} | {brand}, marka należąca do {name} | Wystawca: {name} | Operator: {name}
regards: Z poważaniem | Pozdrawiamy | Podpis wystawcy | Łączymy wyrazy szacunku
total: Razem brutto | Wartość brutto | Razem | Kwota brutto | Suma brutto | Razem do zapłaty brutto | Do zapłaty | Należność ogółem | RAZEM
prepaid: Zapłacono | Zaliczka | Wpłacono | Przedpłata
amount_due: Do zapłaty | Pozostało do zapłaty | Razem do zapłaty | Kwota do zapłaty | Saldo | Pozostaje
carried: Do przeniesienia | Z przeniesienia | Suma z poprzedniej strony
base: Netto | Wartość netto | Podstawa
iban: IBAN | Nr konta | Rachunek bankowy | Konto
bic: BIC | SWIFT
bank: Bank | Nazwa banku
page: Strona {page} z {pages} | Str. {page}/{pages} | {page}/{pages}
phone: Tel. | Telefon | tel.
register: KRS | REGON | BDO
reference: Umowa nr | Oferta nr | Projekt | Nr WZ | Zlecenie nr
seller: Sprzedawca | Wystawca | Dostawca | Od | Usługodawca | Dane sprzedawcy
charge: Koszt wysyłki | Transport | Przesyłka | Koszty dostawy | Opłata manipulacyjna
attn: Do rąk {name} | {name} | Dział księgowości | Dział zakupów | Sz.P. {name}
salutation: Pan | Pani | Sz. P. | Firma
director: Prezes zarządu | Dyrektor | Właściciel | Zarząd
holder: Właściciel rachunku | Odbiorca płatności | Posiadacz rachunku
detail: Cena netto | Cena brutto | Rabat | Opakowanie | EAN | Nr seryjny | Waga | WZ | Pochodzenie
gross: Brutto | Wartość brutto | Kwota brutto | Razem brutto
taxed: Kwota VAT | VAT | Podatek
day: Data | Dzień | Data usługi
currency: Waluta | Kwoty w
place_date: {place}, dnia {date} | {place}, {date} | {date} | {place} dn. {date}
other: Beneficjent | Przedstawiciel podatkowy | Inwestor | Przewoźnik | Pośrednik | Wystawił
previous: Saldo poprzednie | Poprzednia faktura | Saldo z poprzedniego okresu
payment: Wpłata, dziękujemy | Otrzymane wpłaty | Wpłaty od ostatniej faktury
new_charges: Bieżące opłaty | Kwota bieżącej faktury | Opłaty za okres
reading: Nr licznika | Stan poprzedni | Stan bieżący | Różnica
of_base: {rate} od {base} | {rate} z {base} | {rate}, podstawa {base}
named: Nazwa | Firma | Nazwa firmy | Nazwa podmiotu
street: Ulica | Adres | Ulica i numer | Adres, wiersz 1
town: Miejscowość | Kod / Miejscowość | Miasto | Adres, wiersz 2
adjustment: Rabat do dokumentu | Opłata | Rabaty i opłaty | Potrącenie
banner: Dokument zeskanowany {code} | Podgląd wersja {version} z {day} | Listy kodów z {day} | Oryginał dla klienta | Wpłynęło {day} | Wizualizacja e-faktury {version} | Formularz {code} | Profil: EN 16931, {version} | Dokument elektroniczny bez podpisu | Copyright {day} | Archiwum nr {code}
order_title: Zamówienie | ZAMÓWIENIE | Zamówienie zakupu | Zamówienie do dostawcy | Zlecenie
ordered: Zamówiono | Ilość zamówiona | Zam.
open: Do realizacji | Pozostało | Zaległe
weight: Waga | Waga netto | Masa brutto | kg
lot: Kod CN | Partia | Magazyn | Nr seryjny | Lokalizacja | MPK | PKWiU
slip: Odcinek wpłaty | Polecenie przelewu | Odcinek do odcięcia | Druk wpłaty
span: od {first} do {last} | {first} do {last} | od dnia {first} do dnia {last}
own_order: Nasze zamówienie | Nr zlecenia | Zamówienie wewn. | Potwierdzenie zamówienia | Zam. nr | Nr zamówienia
begin: Od | Przyjazd | Początek | Data rozpoczęcia | Okres od
end: Do | Wyjazd | Koniec | Data zakończenia | Okres do
strange: WZ nr | Data zamówienia | Nr wewnętrzny | Handlowiec | Budowa | Nr dostawcy | Przewoźnik | Nr licznika | Magazyn | MPK | Sposób dostawy | Nr oferty | Nr rezerwacji | Wasz znak | Nr polisy | Nr rejestracyjny | Data oferty | Data wydruku | Pokój | Nr projektu | Zlecenie wewn. | PPE | Pokój | Nr PPE | Nr sprawy | Umowa nr | Nr licznika | Polisa nr | Nr rezerwacji
""",
    sentences="""
intro: Za wykonane usługi i dostarczone towary: | Dziękujemy za zamówienie. Szczegóły: | Specyfikacja sprzedaży:
numbered: Faktura nr {number} z dnia {date} | Faktura VAT {number}, data wystawienia {date} | Faktura {number} wystawiona dnia {date}
terms: Płatność przelewem w terminie {days} dni. | Termin płatności: {days} dni | Prosimy o zapłatę w ciągu {days} dni.
discount_terms: Skonto {percent} przy zapłacie w ciągu {days} dni. | {percent} przy płatności do {days} dni
due_on: Prosimy o zapłatę do dnia {due}. | Termin płatności upływa {due}. | Płatne przelewem do {due}.
thanks: Dziękujemy za zakupy. | Z poważaniem | Dziękujemy za współpracę.
exempt: Zwolnienie z VAT na podstawie art. 113. | Odwrotne obciążenie. | Wewnątrzwspólnotowa dostawa towarów, stawka 0%.
credit: Korekta do faktury {reference}. | Dotyczy faktury {reference}, zwrot towaru.
total_sentence: Do zapłaty łącznie {total}. | Prosimy o przelew kwoty {total} na nasze konto.
pay_all: Prosimy o zapłatę {total} do dnia {due}. | Kwota {total} zostanie pobrana dnia {due}.
summary: Kwota netto wynosi {subtotal}, VAT {tax}, razem {total}. | Netto {subtotal}, VAT {tax}, brutto {total}.
note: Towar pozostaje własnością sprzedawcy do czasu zapłaty. | Dostawa na koszt sprzedawcy. | WZ {code}, 12 kartonów, 148 kg | Biuro czynne pon.-pt. 8:30-17:00 | Zwroty do {day}. | Nowe ceny od {day}. | Następna faktura zostanie wystawiona {day}. | W tym robocizna {amount}. | Zgodnie z ofertą {code} z dnia {day}. | Zezwolenie {code} ważne do {day}. | Oszczędzasz {amount} względem cennika. | Gwarancja do {day}, certyfikat {code}. | Kapitał zakładowy {amount}, KRS {code}.
""",
    articles="""
kWh fine 0.08 0.6: Energia elektryczna | Gaz ziemny | Opłata sieciowa
GB 1 15: Dodatkowe dane mobilne | Miejsce w chmurze
szt. 2 60: Kabel USB 2 m | Długopis niebieski, 50 szt. | Śruba M8x40 | Żarówka LED E27 9 W | Rękawice ochronne rozm. L | Klamka nierdzewna | Papier A4 80 g | Toner czarny | Przedłużacz 5 m | Apteczka | Kubek z nadrukiem | Ziemia ogrodowa 40 l
szt. 80 2400: Fotel biurowy | Drukarka laserowa | Laptop 14 cali | Biurko regulowane | Wiertarka akumulatorowa 18 V | Przełącznik sieciowy 24 porty | Pompa wody | Szafa na akta | Kamera monitoringu | Grzejnik stalowy | Umywalka z baterią
godz. fine 20 110: Doradztwo | Programowanie | Montaż u klienta | Kierowanie projektem | Projekt graficzny | Prace elektryczne | Wsparcie techniczne | Tłumaczenie | Prace malarskie
kg fine 1 24: Kawa ziarnista arabica | Mąka pszenna typ 550 | Drut miedziany | Jabłka klasa I | Miód lipowy
mies. 9 420: Hosting | Licencja na oprogramowanie | Sprzątanie biura | Umowa serwisowa | Wynajem magazynu | Łącze światłowodowe
dzień 120 1250: Warsztaty | Wynajem dźwigu z operatorem | Szkolenie | Wynajem samochodu
usł. 15 900: Koszty wysyłki | Koszty dojazdu | Uruchomienie | Utylizacja | Dopłata ekspresowa
""",
    details="kolor antracyt | rozmiar XL | nr seryjny 4471-B | wg specyfikacji | gwarancja 2 lata | z mocowaniem | tydzień 23 | dla oddziału Północ | partia 2207-11",
    sections="Materiały | Robocizna | Budynek A | Parter | Abonamenty | Jednorazowe | Zamówienie z 12 maja",
)
