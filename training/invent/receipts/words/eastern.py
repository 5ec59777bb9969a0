"""What tills print in Croatian, Czech, Hungarian, Romanian and Turkish.

Many of these tills have no letters with accents: some wordings stand as such tills print them.
"""

from __future__ import annotations

from training.invent.invoices.words.base import split_lines

_CZECH = """
title: ÚČTENKA | Účtenka | PARAGON | Zjednodušený daňový doklad | ZJEDNODUŠENÝ DAŇOVÝ DOKLAD | Daňový doklad | Prodejka | Stvrzenka | Pokladní doklad | UCTENKA | Účet | Kopie pro zákazníka
date: Datum | DATUM | Datum: | Dat. | Datum prodeje | Dne | Vystaveno |
time: Čas | ČAS | Cas | v |
number: Účtenka č. | Doklad č. | Č. dokladu | Paragon č. | Účet č. | Číslo dokladu | DOKLAD | Č. účtenky | Poř. č. | Uctenka c.
cashier: Pokladní | Obsluha | Obsluhoval(a) | Prodavač | Číšník | Obsluhoval Vás | Pokl. | Vystavil
register: Pokladna | Pokl. č. | Prodejna | Provozovna | Terminál | Kasa | ID pokl.
table: Stůl | Stůl č. | STUL | Hosté | S sebou | Stojan | Osob
phone: Tel. | tel. | Telefon | Tel | Mob.
tax_id: DIČ | DIČ: | DIC | DIČ prodejce | DIČ CZ | Daňové id. č.
subtotal: Mezisoučet | MEZISOUČET | Součet | Celkem bez slevy | MEZISOUCET | Zboží
discount: Sleva | SLEVA | Akční sleva | Kupón | Slevový kupon | Věrnostní sleva | Sleva na účet
tax: DPH {rate} | DPH | vč. DPH {rate} | A {rate} DPH | Sazba {rate} | Daň {rate} | z toho DPH {rate} | Základní {rate}
net: Základ | Bez DPH | Základ daně | Zákl. DPH
gross: Celkem | S DPH | Obrat | Vč. DPH
rounding: Zaokrouhlení | ZAOKROUHLENÍ | Zaokr. | Haléřové vyrovnání | Zaokrouhleno
tip: Spropitné | Dýško | Servis {percent} | TIP
total: CELKEM | Celkem | CELKEM Kč | K ÚHRADĚ | Celkem k úhradě | SUMA | Celková částka | CELKEM CZK | K platbě | Celkem Kč | CELKEM K PLATBĚ | Částka celkem | Celkem s DPH | Zaplaťte | CELKEM KC
saved: Ušetřili jste | Celková sleva | UŠETŘENO | Dnes jste ušetřili
items: Počet položek | Položek | Ks celkem | Počet ks
cash: HOTOVOST | Hotově | Hotovost | Přijato | Placeno hotově | HOTOVE | Hotovost CZK
card: KARTA | Platební karta | Kartou | VISA | MASTERCARD | Platba kartou | Bezhotovostně | Stravenková karta | Bezkontaktně
change: VRÁCENO | Vráceno | Vrátit | K vrácení | VRACENO | Zpět
other_date: Vrácení zboží do {day} | Platí do {day} | Body platí do {day} | Vytištěno {day} | Spotřebujte do {day} | Kupón platný do {day}
points: Body {number} | Věrnostní karta {number} | Stav bodů {number} | Zákazník {number} | Získané body {number}
thanks: DĚKUJEME ZA NÁKUP | Děkujeme za Vaši návštěvu | Na shledanou | DEKUJEME | Přijďte zas! | Hezký den | Těšíme se na Vaši další návštěvu
note: Otevřeno Po-So 7-20 | FIK {number}-8a1f-4c2e-9b0d-{number}ff | BKP {number}A2-91C4{number}-0E7F | Režim tržby: běžný | EET běžný režim | www.{brand}.example | Reklamace pouze s účtenkou | Uschovejte pro reklamaci | Wi-Fi: {brand}{number} | Záloha obal {amount} | Nejsme plátci DPH | PKP {number} | Člen skupiny {brand}
slip: AID A0000000{number} | Autorizace {number} | Karta ************{number} | Obchodník {number} | TRANSAKCE SCHVÁLENA | Prodej | Částka {total} | Terminál ID {number} | Kopie pro zákazníka | Zadán PIN
shop: Pekařství {last} | Restaurace U {brand} | Potraviny {last} | Lékárna {brand} | Kavárna {brand} | Hospoda {brand} | Čerpací stanice {place} | Hotel {brand} | Řeznictví {last} | Knihkupectví {brand} | {brand} market | Železářství {last} | Drogerie {brand} | Pizzerie {brand} | Květiny {first} | {brand} | Cukrárna {first} | Bistro {brand} | Večerka {place} | Parkoviště {place} | Hostinec {last} | Čistírna {brand} | Papírnictví {last} | Autoservis {last}
goods: Mléko polotučné 1l | Banány volné | Chléb konzumní | Rohlík | Vejce 10 ks | Eidam 30% | Káva mletá | Kuchyňské utěrky | Baterie AA | Vruty 4x40 | Štětec plochý | Natural 95 | Nafta motorová | Ibuprofen 400 | Šampon | Sešit A5 | Substrát 40l | Kapsičky kočka | Pomer. dzus 1l | Kuřecí prsa | Taška igelit. | Pohlednice | Žárovka LED | Lepicí páska | Minerálka 6x1,5 | Cibule žlutá | Zubní pasta | MASLO 250G | Pivo světlé 0,5 | Parkování 2 h
meals: Polední menu | Svíčková na smetaně | Smažený sýr | Pivo 12° 0,5 | Kofola 0,4 | Česnečka | Guláš | Espresso | Cappuccino | Řízek vepřový | Hranolky | Limonáda | Čaj | Jablečný závin | Caesar salát | Palačinky | Nealko pivo | Víno bílé 0,2 | Vývar s nudlemi | Tatarák
owner: Provozovatel: {first} {last} | provozuje {first} {last} | majitel {first} {last} | Rodina {last} | Podnikatel: {first} {last} | maj. {last} | {first} {last} - OSVČ
registry: IČO: {number} | IČ {number} | Zapsáno v OR, {place}, oddíl C, vložka {number} | OR u KS {place}, C {number} | Sp. zn. C {number} | Živn. list {number}, {place}
entry: Příjezd | VJEZD | Vjezd | Čas vjezdu | Začátek parkování | Parkování od
exit: Odjezd | VÝJEZD | Výjezd | Čas výjezdu | Konec parkování | Parkování do
fare: Parkovné | Jízdné | Taxi - jízdné | Mýtné | Mytí vozidla | Parkovací lístek | PARKOVNE | Krátkodobé parkování | Jízdenka
night: Ubytování | Nocleh | Dvoulůžkový pokoj | Poplatek z pobytu | Snídaně | Ubytovací služby
balance: Zbývá uhradit | Doplatek | K doplacení | Nedoplatek | Zůstatek | Saldo
"""

_HUNGARIAN = """
title: NYUGTA | Nyugta | NEM ADÓÜGYI BIZONYLAT | SZÁMLA | Egyszerűsített számla | EGYSZERŰSÍTETT SZÁMLA | Készpénzfizetési számla | Bizonylat | Vevői példány | NYUGTA MÁSOLAT | Blokk | Számla
date: Dátum | DÁTUM | Dátum: | Kelt | Kelt: | Teljesítés | Idő |
time: Időpont | IDŐ | Idő | óra |
number: NYUGTASZÁM | Nyugtaszám | Bizonylatszám | Sorszám | Számla sorszáma | NYUGTASZÁM: | Rendelés | Tranzakció | Nyugta | Blokkszám
cashier: Pénztáros | PÉNZTÁROS | Eladó | Felszolgáló | Kiszolgálta | Kezelő | Pincér | Kassza
register: Pénztár | PÉNZTÁRGÉP | Üzlet | Bolt | Terminál | Kassza | AP
table: Asztal | ASZTAL | Vendégek | Elvitelre | Kútoszlop | Fő | Helyben
phone: Tel. | Tel.: | Telefon | Tel | T
tax_id: Adószám | ADÓSZÁM | Adósz. | ADÓSZÁM: | Adószám: | Asz.
subtotal: RÉSZÖSSZESEN | Részösszesen | Részösszeg | Tételek összesen | Összeg | RÉSZÖSSZESEN:
discount: KEDVEZMÉNY | Engedmény | Kedvezmény | Kupon | Akció | Hűségkedvezmény | ENGEDMÉNY
tax: ÁFA {rate} | ÁFA | ÁFA tartalom {rate} | C {rate} ÁFA | {rate} ÁFA | Ebből ÁFA {rate} | AFA {rate}
net: Nettó | Adóalap | NETTÓ | Alap
gross: Bruttó | Összesen | BRUTTÓ | Forgalom
rounding: KEREKÍTÉS | Kerekítés | Kerekítés: | Kerekítési különbözet
tip: Borravaló | Szervizdíj | Szervízdíj {percent} | Felszolgálási díj {percent}
total: ÖSSZESEN | ÖSSZESEN: | Összesen | FIZETENDŐ | Fizetendő | Fizetendő összeg | VÉGÖSSZEG | Végösszeg | MINDÖSSZESEN | Fizetendő végösszeg | ÖSSZESEN Ft | Összesen: | Összesen HUF | BRUTTÓ ÖSSZESEN | Fizetendő Ft | OSSZESEN
saved: Ön megtakarított | Megtakarítás | Összes kedvezmény | MEGTAKARÍTÁS
items: Tételszám | Tételek száma | Darab | Tétel
cash: KÉSZPÉNZ | Készpénz | KÉSZPÉNZ: | Átvett készpénz | Kapott | KESZPENZ | Készpénz HUF
card: BANKKÁRTYA | Bankkártya | Kártya | VISA | MASTERCARD | SZÉP KÁRTYA | Bankkártyás fizetés | Érintéses | BANKKARTYA
change: VISSZAJÁRÓ | Visszajáró | VISSZAJÁRÓ: | Visszaadott | VISSZAJARO
other_date: Visszaváltható: {day} | Érvényes: {day} | Pontok lejárata {day} | Nyomtatva: {day} | Csere {day} napjáig | A kupon felhasználható: {day}
points: Pontok: {number} | Törzsvásárlói kártya {number} | Pontegyenleg {number} | Ügyfélszám {number} | Gyűjtött pont {number}
thanks: KÖSZÖNJÜK A VÁSÁRLÁST! | Köszönjük, hogy minket választott! | Viszontlátásra! | Köszönjük! | Várjuk vissza! | KÖSZÖNJÜK, HOGY NÁLUNK VÁSÁROLT | Szép napot!
note: NAV ELLENŐRZŐ KÓD: {number}B | NAV ellenőrző kód: 3F{number} | AP A0{number} | Nyitva: H-Szo 7-20 | www.{brand}.example | Csere csak blokkal | Kérjük, őrizze meg a nyugtát! | WiFi: {brand}{number} | Betétdíj {amount} | A szervizdíjat tartalmazza | Adóügyi ellenőrző kód {number} | Az árak tartalmazzák az áfát | A {brand} csoport tagja
slip: AID A0000000{number} | Engedélyszám {number} | Kártya ************{number} | Elfogadóhely {number} | ELFOGADVA | VÁSÁRLÁS | Összeg {total} | Terminál {number} | Kártyabirtokos példánya | PIN OK
shop: {last} Pékség | {brand} Étterem | {brand} ABC | {brand} Gyógyszertár | {brand} Kávézó | {last} Húsbolt | {place}i Benzinkút | Hotel {brand} | {brand} Patika | {brand} Könyvesbolt | {brand} Vendéglő | {last} Vegyesbolt | {brand} Drogéria | {brand} Pizzéria | {first} Virágbolt | {brand} | {last} Cukrászda | {brand} Bisztró | {last} Csárda | {brand} Parkoló | {brand} Söröző | {last} Tisztító | {brand} Papírbolt | {last} Autószerviz
goods: Tej 2,8% 1l | Banán lédig | Fehér kenyér 1kg | Kifli | Tojás 10 db | Trappista sajt | Őrölt kávé | Papírtörlő | Elem AA | Facsavar 4x40 | Ecset | 95-ös benzin | Gázolaj | Ibuprofen 400 | Sampon | Füzet A5 | Virágföld 40 l | Macskaeledel | Narancslé | Csirkemellfilé | Szatyor | Képeslap | LED izzó | Ragasztószalag | Ásványvíz 6x1,5 | Vöröshagyma | Fogkrém | C00 VAJ 82% | Túró Rudi | Parkolás 2 óra | KENYER 750G
meals: Napi menü | Gulyásleves | Rántott sajt | Halászlé | Csapolt sör 0,5 | Fröccs | Presszókávé | Cappuccino | Rántott szelet | Hasábburgonya | Limonádé | Ásványvíz | Palacsinta | Somlói galuska | Cézár saláta | Húsleves | Lángos | Tea | Csirkepaprikás | Vörösbor 1 dl
owner: Tulajdonos: {last} {first} | {last} {first} e.v. | {last} {first} egyéni vállalkozó | {last} család | Üzemeltető: {last} {first} | Üzemelteti: {last} {first} | Tul.: {last} {first}
registry: Cégjegyzékszám: {number} | Cg.: 01-09-{number} | Cg. {number} | Nyilv. szám: {number} | Fővárosi Törvényszék Cégbírósága {number} | Bejegyezte: {place}, Cg. {number}
entry: Érkezés | BELÉPÉS | Behajtás | Belépés ideje | Parkolás kezdete | Érkezési idő
exit: Távozás | KILÉPÉS | Kihajtás | Kilépés ideje | Parkolás vége | Távozás ideje
fare: Parkolási díj | Viteldíj | Taxi viteldíj | Útdíj | Autómosás | Menetjegy | PARKOLÁS | Parkolójegy | Taxi fuvardíj
night: Szállás | Szállásdíj | Kétágyas szoba | Idegenforgalmi adó | IFA | Reggeli
balance: Egyenleg | Hátralék | Fennmaradó összeg | Még fizetendő | Tartozás | EGYENLEG
"""

_ROMANIAN = """
title: BON FISCAL | Bon fiscal | CHITANŢĂ | Chitanță | FACTURĂ | Notă de plată | NOTA DE PLATA | BON NEFISCAL | Exemplar client | Factură fiscală | Bon | FACTURA
date: Data | DATA | DATA: | Data: | Dată | Data bon | din |
time: Ora | ORA | ORA: | ora |
number: Bon nr. | BON FISCAL NR | NR. BON | Nr. | Bon | BF | Nr. bon fiscal | NR | Tranzacție | Factura nr. | Comanda
cashier: Casier | CASIER | OPERATOR | Operator | Ospătar | V-a servit | Vânzător | OP
register: CASA | Casa | Casa nr. | POS | Magazin | Terminal | Punct de lucru | Z
table: Masa | MASA | Masa nr. | Persoane | La pachet | Pompa | Sala
phone: Tel. | Tel | Telefon | TEL | Tel:
tax_id: C.I.F. | CIF | C.I.F.: | COD FISCAL | C.U.I. | CUI | Cod identificare fiscala | COD INREGISTRARE FISCALA
subtotal: SUBTOTAL | Subtotal | Total produse | Valoare | Sub-total
discount: REDUCERE | Reducere | DISCOUNT | Discount | Promoție | Cupon | REDUCERE CARD
tax: TVA {rate} | TVA A {rate} | TOTAL TVA A {rate} | TVA | TOTAL TVA | T.V.A. {rate} | din care TVA {rate} | TVA A - {rate}
net: Bază | Fără TVA | Net | Baza TVA
gross: Total | Cu TVA | Brut | Valoare
rounding: ROTUNJIRE | Rotunjire | Rot.
tip: BACSIS | Bacșiș | Tips | Serviciu {percent}
total: TOTAL LEI | TOTAL | Total | TOTAL RON | TOTAL DE PLATĂ | TOTAL DE PLATA | Total de plată | DE PLATA | Total lei | TOTAL GENERAL | Total cu TVA | Suma de plată | TOTAL BON | TOTAL DE ACHITAT | TOTAL:
saved: Ați economisit | Total reduceri | AI ECONOMISIT | Economie
items: Articole | Nr. articole | Total articole | NR. PRODUSE
cash: NUMERAR | Numerar | NUMERAR LEI | Cash | Primit | PLATA NUMERAR | CASH
card: CARD | Card | Card bancar | CARD BANCAR | VISA | MASTERCARD | PLATA CARD | Contactless | CARD CREDIT | Tichete masa
change: REST | Rest | REST NUMERAR | Rest lei | REST LEI
other_date: Retur până la {day} | Valabil până la {day} | Punctele expiră la {day} | Tipărit {day} | Retur pana la {day} | A se consuma până la {day}
points: Puncte {number} | Card client {number} | Sold puncte {number} | Client {number} | Puncte acumulate {number}
thanks: VĂ MULȚUMIM! | VA MULTUMIM! | Vă mai așteptăm! | Mulțumim pentru vizită | O zi bună! | VA MAI ASTEPTAM | La revedere
note: Z:{number} BF:{number} | ID BF {number} | AMEF {number} | S/N {number} | www.{brand}.example | Păstrați bonul pentru retur | Program L-S 8-20 | WiFi: {brand}{number} | Garantie SGR {amount} | NR. AMEF {number} | BON FISCAL | Protecția consumatorilor: 021 9551 | COD LOTERIE {number} | Parte din grupul {brand}
slip: AID A0000000{number} | Cod autorizare {number} | Card ************{number} | Comerciant {number} | TRANZACȚIE APROBATĂ | VANZARE | Suma {total} | TID {number} | Exemplarul clientului | RRN {number} | Cod PIN corect
shop: Brutăria {last} | Restaurant {brand} | Magazin {brand} | Farmacia {brand} | Cafenea {brand} | Măcelăria {last} | Benzinăria {place} | Hotel {brand} | Librăria {brand} | {brand} Market | Pensiunea {first} | Alimentara {last} | Drogheria {brand} | Pizzeria {brand} | Florăria {first} | {brand} | Cofetăria {last} | Bistro {brand} | Hanul {brand} | Parcare {place} | Terasa {brand} | Curățătoria {brand} | {last} Construct | Mini Market {first}
goods: Lapte 1,5% 1L | Banane vrac | Paine alba 300g | Covrigi | Oua M 10 buc | Cașcaval 450g | Cafea măcinată | Prosop hartie | Baterii AA | Holzsuruburi | Pensula | Benzină fără plumb 95 | Motorină | Ibuprofen 400 | Sampon 400ml | Caiet A5 | Pamant flori 40L | Hrana pisici | Suc portocale | Piept de pui | PUNGA BIO | Felicitare | Bec LED | Banda adeziva | Apa plata 6x2L | Ceapă galbenă | Pastă de dinți | Garantie SGR | UNT 82% 200G | Telemea de vacă | Parcare 2 ore
meals: Meniul zilei | Ciorbă de burtă | Mici | Sarmale cu mămăligă | Bere draft 0,5 | Cafea espresso | Cappuccino | Limonadă | Apă minerală | Ceafă de porc | Cartofi prăjiți | Papanași | Salată Caesar | Pizza Diavola | Vin alb 150ml | Supă de pui | Clătite | Shaorma | Ceai | Tochitura
owner: Proprietar: {first} {last} | Familia {last} | Administrator: {first} {last} | administrată de familia {last} | Fam. {last} | prin {last} {first} | patron {first} {last}
registry: J40/{number}/2014 | Reg. Com. J12/{number}/2009 | Nr. Reg. Com.: J{number}/2018 | O.R.C. {place} J{number}/2011 | Nr. ORC {number} | EUID ROONRC.J{number}/2020
entry: Intrare | INTRARE | Ora intrării | Data intrare | Sosire | Ora intrare | Start parcare
exit: Ieșire | IESIRE | Ora ieșirii | Data iesire | Plecare | Ora iesire | Stop parcare
fare: Taxă parcare | TAXA PARCARE | Tarif cursă | Cursă taxi | Taxă drum | Spălare auto | Bilet parcare | TAXI | Abonament parcare
night: Cazare | Servicii cazare | Cameră dublă | Taxă hotelieră | Taxa promovare turistica | Mic dejun
balance: Sold | Rest de achitat | Diferență de plată | SOLD | De achitat | Sold final
"""

_CROATIAN = """
title: RAČUN | Račun | RACUN | R1 RAČUN | Gotovinski račun | PARAGON | Kopija računa | RAČUN ZA KUPCA | Maloprodajni račun | Ugostiteljski račun | Račun - original | Predračun
date: Datum | DATUM | Datum: | Datum računa | Nadnevak | Dana | Datum i vrijeme |
time: Vrijeme | VRIJEME | Vrij. | u |
number: Račun br. | Broj računa | RAČUN BR. | Br. računa | Račun | Račun broj | RACUN BR | Br. | Rn. br. | Narudžba
cashier: Blagajnik | Konobar | Prodavač | Poslužio Vas | Operater | Blagajnica | BLAGAJNIK | Djelatnik | Izdao
register: Blagajna | Poslovnica | Kasa | Terminal | Prodavaonica | POS | Nap. uređaj
table: Stol | STOL | Stol br. | Gosti | Za van | Pumpa | Osoba
phone: Tel. | Tel | Telefon | tel: | Mob.
tax_id: OIB | OIB: | O.I.B. | PDV ID | OIB prodavatelja | OIB HR
subtotal: Međuzbroj | MEĐUZBROJ | Ukupno bez popusta | Iznos | MEDUZBROJ | Međuiznos
discount: POPUST | Popust | Akcijski popust | Kupon | Rabat | Popust na račun | Popust vjernosti
tax: PDV {rate} | PDV | PDV {rate} osn. | Porez {rate} | Stopa {rate} | Od toga PDV {rate} | P.D.V. {rate}
net: Osnovica | Osn. | Bez PDV | Neto
gross: Ukupno | S PDV | Iznos | Bruto
rounding: Zaokruženje | ZAOKRUŽENJE | Zaokruživanje | Zaokr.
tip: Napojnica | NAPOJNICA | Manča | Servis {percent}
total: UKUPNO | Ukupno | UKUPNO EUR | ZA PLATITI | Za platiti | SVEUKUPNO | Sveukupno | UKUPNO ZA PLATITI | Ukupno EUR | Iznos računa | Ukupan iznos | Za naplatu | UKUPNO: | Za platiti EUR | Ukupno za platiti
saved: Uštedjeli ste | Ukupna ušteda | UŠTEDA | Vaša ušteda
items: Broj artikala | Artikala | Stavki | Kom. ukupno
cash: GOTOVINA | Gotovina | Novčanice | Primljeno | GOTOVINA EUR | Gotovinski | Dano
card: KARTICA | Kartica | KARTICE | VISA | MASTERCARD | MAESTRO | Kartično plaćanje | Beskontaktno | Debitna kartica
change: POVRAT | Povrat | Za vratiti | Ostatak | Vraćeno | POVRAT EUR
other_date: Zamjena do {day} | Vrijedi do {day} | Bodovi vrijede do {day} | Ispisano {day} | Povrat robe do {day} | Kupon vrijedi do {day}
points: Bodovi {number} | Kartica vjernosti {number} | Stanje bodova {number} | Kupac {number} | Skupljeni bodovi {number}
thanks: HVALA NA POVJERENJU | Hvala na posjeti! | HVALA I DOVIĐENJA | Doviđenja | Hvala, dođite nam opet | Hvala na kupnji | Ugodan dan!
note: JIR: 9d6f5bb6-{number}-4a1e-b1f2-{number}c0 | ZKI: a{number}f3c2e9b07d4{number}e1 | JIR {number}-78fd-48b2 | ZKI {number}bb3fa2b0f6e6 | Fiksni tečaj 1 EUR = 7,53450 HRK | Obveznik nije u sustavu PDV-a | www.{brand}.example | Radno vrijeme: pon-sub 7-21 | Zamjena uz račun u roku 14 dana | WiFi: {brand}{number} | Povratna naknada {amount} | Oznaka operatera {number} | Član grupe {brand}
slip: AID A0000000{number} | Autorizacija {number} | Kartica ************{number} | Prodajno mjesto {number} | ODOBRENO | PRODAJA | Iznos {total} | Terminal {number} | Primjerak za kupca | Potpis nije potreban
shop: Pekara {last} | Konoba {brand} | Restoran {brand} | Ljekarna {last} | Caffe bar {brand} | Mesnica {last} | Benzinska postaja {place} | Hotel {brand} | Knjižara {brand} | {brand} market | Gostionica {last} | Trgovina {last} | Drogerija {brand} | Pizzeria {brand} | Cvjećarnica {first} | {brand} | Slastičarnica {first} | Bistro {brand} | Buffet {brand} | Parking {place} | Željezarija {last} | Kemijska čistionica {brand} | Apartmani {first} | Autoservis {last}
goods: Mlijeko 2,8% 1L | Banane | Kruh polubijeli | Kifla | Jaja M 10/1 | Sir gauda | Kava mljevena | Papirnati ručnik | Baterije AA | Vijci za drvo | Kist | Eurosuper 95 | Eurodizel | Ibuprofen 400 | Šampon | Bilježnica A5 | Zemlja za cvijeće 40L | Hrana za mačke | Sok naranča | Pileći file | VREĆICA | Razglednica | Žarulja LED | Ljepljiva traka | Voda 6x1,5 | Luk crveni | Pasta za zube | Povratna naknada | MASLAC 250G | Pršut narezani | Parkiranje 2 h
meals: Kava s mlijekom | Macchiato | Ćevapi u lepinji | Točeno pivo 0,5 | Gemišt | Crni rižoto | Lignje na žaru | Blitva s krumpirom | Juha | Zagrebački odrezak | Salata miješana | Pomfrit | Mineralna voda | Palačinke | Pizza Margherita | Cedevita | Espresso | Graševina 0,1 | Pljeskavica | Rožata | KUVER
owner: vl. {first} {last} | Vlasnik: {first} {last} | vlasnik {first} {last} | Obitelj {last} | vlasnica {first} {last} | Vl. {last} | Nositelj: {first} {last}
registry: MBS {number} | Trgovački sud {place}, MBS {number} | MB: {number} | MBO {number} | Obrtni registar {place} {number} | Upisano u sudski registar, MBS {number}
entry: Ulaz | ULAZ | Vrijeme ulaza | Početak parkiranja | Dolazak | Ulazak
exit: Izlaz | IZLAZ | Vrijeme izlaza | Kraj parkiranja | Odlazak | Izlazak
fare: Parkiranje | Naknada za parkiranje | Taxi prijevoz | Vožnja | Cestarina | Pranje vozila | Prijevozna karta | PARKING | Parkirna karta
night: Noćenje | Noćenje s doručkom | Usluga smještaja | Boravišna pristojba | Turistička pristojba | Doručak
balance: Saldo | Preostalo za platiti | Ostatak duga | Dugovanje | Preostali iznos | SALDO
"""

_TURKISH = """
title: FİŞ | BİLGİ FİŞİ | SATIŞ FİŞİ | MÜŞTERİ NÜSHASI | e-Arşiv Fatura | E-ARŞİV FATURA | ADİSYON | PERAKENDE SATIŞ FİŞİ | FATURA | Satış Fişi | YAZARKASA FİŞİ | Hesap | MALİ FİŞ
date: TARİH | Tarih | TARİH: | Tarih: | TARIH | Düzenleme Tarihi | İşlem Tarihi |
time: SAAT | Saat | SAAT: | Saati |
number: FİŞ NO | Fiş No | FIS NO | FİŞ NO: | BELGE NO | Fatura No | SIRA NO | Adisyon No | İşlem No | Sipariş No
cashier: KASİYER | Kasiyer | KASIYER | Garson | Satış Elemanı | Personel | KASİYER NO | Pompacı
register: KASA | Kasa No | KASA NO | Mağaza | POS | Şube | EKÜ NO | Z NO | Terminal
table: MASA | Masa | Masa No | Kişi | Paket Servis | Pompa No | Salon
phone: Tel | TEL | Tel. | TEL: | Telefon | Tlf
tax_id: VERGİ NO | Vergi No | VKN | V.D. | VD | BEYOĞLU VERGİ DAİRESİ | Kadıköy V.D. | MERKEZ VD | BÜYÜK MÜKELLEFLER VD | Vergi Kimlik No
subtotal: ARA TOPLAM | Ara Toplam | ARATOPLAM | ARA TOP | Ürün Toplamı | Mal Toplamı
discount: İNDİRİM | İndirim | ISKONTO | İskonto | Kampanya | Kupon | SATIR İNDİRİM | TOPLAM İNDİRİM
tax: TOPKDV | KDV | KDV {rate} | TOPKDV {rate} | TOPLAM KDV | Toplam KDV | K.D.V. {rate} | Hesaplanan KDV {rate}
net: Matrah | KDV Matrahı | NET | KDV Hariç
gross: KDV Dahil | Toplam | Tutar | BRÜT
rounding: YUVARLAMA | Yuvarlama | Yuvarlama Farkı | YUV.
tip: Bahşiş | Servis Ücreti | Servis {percent} | BAHŞİŞ
total: TOPLAM | *TOPLAM | GENEL TOPLAM | Genel Toplam | TOPLAM TUTAR | ÖDENECEK TUTAR | Toplam | TOPLAM TL | Ödenecek Tutar | TOP | Toplam Tutar | HESAP TOPLAMI | Tutar | KDV DAHİL TOPLAM | Genel Toplam TL
saved: Kazancınız | Toplam İndirim | TOPLAM KAZANCINIZ | Bu alışverişteki kazancınız
items: Ürün Sayısı | ADET | Toplam Adet | Kalem Sayısı
cash: NAKİT | Nakit | NAKIT | NAKİT TL | Alınan | Nakit Ödeme | ALINAN PARA
card: KREDİ KARTI | Kredi Kartı | BANKA KARTI | K.KARTI | KREDI KARTI | VISA | MASTERCARD | Temassız | YEMEK KARTI | ORTAK POS
change: PARA ÜSTÜ | Para Üstü | PARAÜSTÜ | PARA USTU | İADE
other_date: Son değişim {day} | Son kullanma {day} | Puan geçerlilik {day} | Baskı {day} | {day} tarihine kadar geçerlidir | Değişim tarihi {day}
points: Puan {number} | Kart No {number} | Toplam Puan {number} | Müşteri No {number} | Kazanılan puan {number}
thanks: TEŞEKKÜR EDERİZ | TEŞEKKÜRLER | Yine bekleriz | BİZİ TERCİH ETTİĞİNİZ İÇİN TEŞEKKÜRLER | İyi günler dileriz | TESEKKUR EDERIZ | Afiyet olsun
note: Z NO {number} EKÜ NO {number} | Z NO: {number} | EKÜ NO: {number} | MF YAB {number} | MALİ SEMBOL {number} | www.{brand}.example | Değişim fiş ile 14 gün içinde yapılır | Çalışma saatleri 09-22 | WiFi: {brand}{number} | Depozito {amount} | MERSİS NO 0{number} | Bu belge mali değeri yoktur | e-Arşiv izni kapsamında | {brand} Grubu kuruluşudur
slip: AID A0000000{number} | ONAY KODU {number} | KART ************{number} | İŞYERİ NO {number} | ONAYLANDI | SATIŞ | TUTAR {total} | TERMİNAL {number} | MÜŞTERİ NÜSHASI | ŞİFRE KULLANILMIŞTIR | BATCH NO {number} | STAN {number}
shop: {last} Fırını | {brand} Restaurant | {brand} Market | {brand} Eczanesi | {brand} Cafe | {last} Kasabı | {place} Akaryakıt Petrol | {brand} Otel | {brand} Kitabevi | {last} Lokantası | {last} Bakkaliye | {brand} Kebap | {brand} Pide Salonu | {first} Çiçekçilik | {brand} | {last} Pastanesi | {brand} Büfe | {last} Baklavaları | {place} Otopark | {brand} Nalburiye | {last} Kuru Temizleme | {last} Kırtasiye | {brand} Giyim | {first} Usta
goods: Süt yarım yağlı 1L | Muz kg | EKMEK | Simit | Yumurta 15'li | Beyaz peynir | Türk kahvesi 100g | Kağıt havlu | AA pil 4'lü | Ağaç vidası | Boya fırçası | Kurşunsuz 95 | MOTORIN | Ağrı kesici | Şampuan | Defter A5 | Saksı toprağı 40L | Kedi maması | Portakal suyu | Tavuk göğsü | POŞET | Tebrik kartı | LED ampul | Koli bandı | SU 6x1,5 L | Kuru soğan | Diş macunu | Siyah zeytin | Çay 1000g | AYCICEK YAGI 1L | Otopark 2 saat
meals: Mercimek çorbası | Adana kebap | Lahmacun | Ayran | Çay | Türk kahvesi | İskender | Pide kıymalı | Mevsim salata | Künefe | Kola | Su 0,5 L | Köfte porsiyon | Kahvaltı tabağı | Menemen | Döner dürüm | Baklava 4 dilim | Limonata | Espresso | Latte | Balık ekmek | Pilav
owner: Sahibi: {first} {last} | İşletmeci: {first} {last} | {last} Ailesi | İşl. {first} {last} | {last} Kardeşler | Yetkili: {first} {last} | İşyeri Sahibi {first} {last}
registry: Tic. Sic. No: {number} | Ticaret Sicil No {number} | MERSİS NO 0{number} | {place} Tic. Sic. {number} | Oda Sicil No {number} | TİC. SİCİL {number}
entry: Giriş | GİRİŞ | Giriş Saati | GİRİŞ SAATİ | Giriş Zamanı | Park Başlangıç
exit: Çıkış | ÇIKIŞ | Çıkış Saati | ÇIKIŞ SAATİ | Çıkış Zamanı | Park Bitiş
fare: Otopark Ücreti | OTOPARK | Taksi Ücreti | Yolcu Taşıma | Geçiş Ücreti | Araç Yıkama | Bilet | OTO YIKAMA | Taksimetre Tutarı
night: Konaklama | KONAKLAMA | Çift Kişilik Oda | Konaklama Vergisi | Oda + Kahvaltı | Kahvaltı
balance: Bakiye | BAKİYE | Kalan | Kalan Tutar | KALAN BORÇ | Borç Bakiyesi
"""

EASTERN: dict[str, dict[str, tuple[str, ...]]] = {
    language: split_lines(text)
    for language, text in (
        ("cs", _CZECH),
        ("hr", _CROATIAN),
        ("hu", _HUNGARIAN),
        ("ro", _ROMANIAN),
        ("tr", _TURKISH),
    )
}
