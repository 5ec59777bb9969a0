"""What tills print in Swedish, Danish, Norwegian and Finnish."""

from __future__ import annotations

from training.invent.invoices.words.base import split_lines

_SWEDISH = """
title: KVITTO | Kvitto | KASSAKVITTO | Kassakvitto | Kundkvitto | KUNDENS EX | Nota | Köpkvitto | KONTANTNOTA | Försäljningskvitto | EJ KVITTO | KÖP
date: Datum | DATUM | Köpdatum | Dat. |
time: Tid | TID | kl. | Kl | Klockan |
number: Kvittonr | Kvitto nr | Kvittonummer | Kvitto | Löpnr | Nota | Notanr | Transnr | Ordernr | Bongnr | KVITTO NR
cashier: Kassör | Säljare | Expedit | Du betjänades av | Ni betjänades av | Betjänad av | Servitör | Personal | Kassörska | KASSÖR
register: Kassa | Kassa nr | Butik | Terminal | Butik nr | Kassa-ID | Kontrollenhet | KASSA
table: Bord | Bord nr | Gäster | Ta med | Äta här | Pump
phone: Tel | Tel. | Telefon | Tfn | TEL
tax_id: Org.nr | Org nr | Orgnr | ORG.NR | Organisationsnr | Org. nr.
subtotal: Delsumma | DELSUMMA | Summa varor | Subtotal | Summa före rabatt | Varor
discount: Rabatt | RABATT | Kampanj | Kupong | Medlemsrabatt | Personalrabatt | Prisnedsättning | Erbjudande | Flerköp
tax: Moms {rate} | MOMS {rate} | Varav moms {rate} | varav moms | Total moms | Moms | Mervärdesskatt {rate} | {rate} moms
net: Netto | Exkl. moms | Underlag | Nettobelopp
gross: Brutto | Inkl. moms | Totalt
rounding: Öresavrundning | ÖRESAVRUNDNING | Öresutjämning | Avrundning | Öresavr.
tip: Dricks | DRICKS | Dricks/Tip | Serviceavgift
total: TOTALT | Totalt | ATT BETALA | Att betala | SUMMA | Summa | TOTAL | Summa SEK | Totalt SEK | TOTALT SEK | Att betala SEK | Slutsumma | Totalsumma | Totalbelopp | SUMMA ATT BETALA | Summa att betala | Totalt inkl. moms | BELOPP
saved: Du har sparat | Total rabatt | Du sparade | Erhållen rabatt
items: Antal varor | Antal artiklar | Artiklar | Varor | ANTAL VAROR
cash: KONTANT | Kontant | Kontanter | Mottaget kontant | Erhållet | Mottaget
card: BANKKORT | Bankkort | KORT | Kort | VISA | MASTERCARD | Kontokort | Kontaktlöst | Betalkort | SWISH | Swish | Kortbetalning
change: TILLBAKA | Tillbaka | VÄXEL | Växel | Åter | Tillbaka kontant
other_date: Öppet köp t.o.m. {day} | Byte senast {day} | Gäller t.o.m. {day} | Poäng giltiga t.o.m. {day} | Utskrivet {day} | Bäst före {day}
points: Poäng {number} | Medlemsnr {number} | Medlem {number} | Bonuspoäng {number} | Kundkort ****{number} | Poängsaldo {number}
thanks: Tack för besöket! | TACK FÖR KÖPET | Välkommen åter! | TACK OCH VÄLKOMMEN ÅTER | Tack för ditt köp | Ha en bra dag! | Spara kvittot
note: Öppet mån-fre 9-19 lör 10-16 | Öppet köp 30 dagar mot kvitto | Spara kvittot, krävs vid reklamation | www.{brand}.example | Kontrollenhet {number} | Wifi: {brand}{number} | Pant {amount} | En del av {brand}-gruppen | Godkänd för F-skatt | Kundtjänst {number} | Öppet alla dagar 7-23 | Tillverkningsnr kassa {number}
slip: TERM {number} | Butiksnr {number} | KÖP | Belopp {total} | KONTROLLNR {number} | REF {number} | AID: A0000000{number} | TVR: 00000{number} | ************{number} | KUNDENS EX | Personlig kod | Kontaktlöst | GODKÄNT | BANK DEBET
shop: {last}s Bageri | {brand} Livs | Café {brand} | Konditori {last} | Apoteket {brand} | {place} Järnhandel | Restaurang {brand} | Pizzeria {brand} | {brand} Matmarknad | {last}s Bokhandel | Blomsterbutiken {first} | Hotell {place} | {brand} Bensin | {last} Bygg | Krog {brand} | {brand} | Saluhall {place} | Kemtvätt {brand} | {brand} Stormarknad | Fiskboden {place} | Gatuköket {first} | Salong {first} | {last}s Livs | Parkering {place}
goods: Mellanmjölk 1,5L | Bananer lösvikt | Rågbröd skivat | Ägg 12-p | Ost Hushåll 26% | Bryggkaffe 450g | Hushållspapper | Batterier AA 4-p | Träskruv | Målarpensel | Bensin 95 | Diesel | Alvedon 20 st | Schampo | Kollegieblock A4 | Planteringsjord 40L | Kattmat | Apelsinjuice | Kycklingfilé | Papperskasse | Gratulationskort | LED-lampa | Maskeringstejp | Kolsyrat vatten 1,5L | Pant | Gul lök | Tandkräm | Kanelbulle | Falukorv | Smör 500g | Snus | Lösgodis | Parkering 2 tim | Knäckebröd
meals: Dagens lunch | Köttbullar | Räksmörgås | Kaffe | Bryggkaffe | Stor stark | Husets vin glas | Toast Skagen | Biff Rydberg | Caesarsallad | Pytt i panna | Mineralvatten | Kebabtallrik | Latte | Kanelbulle | Pizza Capricciosa | Barnmeny | Pommes | Fisksoppa | Lättöl
owner: Inneh. {first} {last} | Innehavare: {first} {last} | Innehavare {first} {last} | Familjen {last} | Ägare: {first} {last} | Drivs av {first} {last} | Handlare {first} {last}
registry: Org.nr {number} | Org.nr SE{number} | Momsreg.nr SE{number} | Org nr: {number} Säte {place} | VAT nr SE{number} | Reg.nr {number} | Säte: {place}
entry: Infart | INFART | Ankomst | Start | Starttid | Från | Inpassage
exit: Utfart | UTFART | Slut | Sluttid | Till | Giltig t.o.m. | Utpassage
fare: Parkeringsavgift | Parkering | P-avgift | Taxiresa | Resa | Körning | Fast pris | Broavgift | Biltvätt | Tvättprogram 2 | Enkelbiljett vuxen | Korttidsparkering | Elbilsladdning
night: Övernattning | Logi | Dubbelrum | Enkelrum inkl. frukost | Logi 2 nätter | Frukost | Rum | Minibar | Garage per natt
balance: Saldo | Kvar att betala | Restbelopp | Återstår | Att betala | Utestående
"""

_DANISH = """
title: KASSEBON | Kassebon | BON | Bon | KVITTERING | Kvittering | Kundekvittering | FAKTURA | Kontantbon | Regning | Salgsbon | KOPI | Kontantsalg
date: Dato | DATO | Den | d. | Salgsdato |
time: Tid | Kl. | kl. | Tidspunkt | KL |
number: Bonnr. | Bon nr. | Bon | Kvittering nr. | Ekspedition | Eksp.nr. | Trans. | Faktura nr. | Ordre | Bilag | Bonnummer | Ordrenr.
cashier: Ekspedient | Kasserer | Betjent af | Du blev betjent af | De blev betjent af | Tjener | Eksp. | Medarbejder | Bruger
register: Kasse | Kasse nr. | Butik | Terminal | Kassenr. | Station | Afd. | KASSE
table: Bord | Bord nr. | Gæster | Kuverter | Spis her | Take away | Stander
phone: Tlf. | Tlf | Telefon | Tlf.nr. | TLF
tax_id: CVR | CVR-nr. | CVR nr. | SE-nr. | SE nr. | CVR NR | CVR DK
subtotal: Subtotal | SUBTOTAL | I alt før rabat | Varer i alt | Delsum | Mellemsum
discount: Rabat | RABAT | Tilbud | Medlemsrabat | Mængderabat | Kupon | Personalerabat | Nedsat | Kampagne
tax: Moms {rate} | MOMS {rate} | Heraf moms | Heraf moms {rate} | HERAF MOMS | Moms udgør | Momsbeløb {rate} | {rate} moms | Moms
net: Netto | Ekskl. moms | Momsgrundlag | Excl. moms
gross: Brutto | Inkl. moms | I alt
rounding: Afrunding | Øreafrunding | ØREAFRUNDING | Øreudligning
tip: Drikkepenge | Tips | Betjening | Service
total: TOTAL | Total | I ALT | I alt | AT BETALE | At betale | Total DKK | I alt DKK | TIL BETALING | Til betaling | SUM | Total kr. | BELØB | Beløb | Beløb i alt | Samlet beløb | Total inkl. moms | I alt inkl. moms
saved: Du har sparet | Samlet rabat | Rabat i alt | DU SPAREDE | Heraf rabat
items: Antal varer | Varer | Antal | Stk. i alt | ANTAL VARER
cash: KONTANT | Kontant | Modtaget | Modtaget kontant | Betalt kontant | KONTANTER
card: DANKORT | Dankort | Visa/Dankort | VISA/DANKORT | MASTERCARD | Betalingskort | KORT | Kortbetaling | MobilePay | MOBILEPAY | Kontaktløs | Kreditkort
change: RETUR | Retur | Byttepenge | BYTTEPENGE | Tilbage | Penge retur
other_date: Byttes inden {day} | Byttes senest {day} | Gyldig til {day} | Point udløber {day} | Udskrevet {day} | Kan byttes til og med {day} | Bedst før {day}
points: Point {number} | Medlemsnr. {number} | Medlem {number} | Bonuspoint {number} | Kundekort {number} | Saldo point {number}
thanks: Tak for besøget | TAK FOR BESØGET | Tak for købet! | På gensyn | TAK OG PÅ GENSYN | Tak fordi du handlede hos os | Velkommen igen | Hav en god dag
note: Åbent man-fre 9-17.30 lør 10-14 | Byttes kun mod bon | Bytteret 30 dage | Åbent alle dage 7-22 | www.{brand}.example | Gem bonen | WiFi: {brand}{number} | Pant {amount} | En del af {brand} gruppen | Kundeservice {number} | Følg os på @{brand} | Ingen ombytning uden bon
slip: Terminal {number} | TERM: {number} | Forretningsnr. {number} | KØB | Beløb {total} | DKK {total} | Aut. kode {number} | REF {number} | AID: A0000000{number} | PSN: 0{number} | XXXX XXXX XXXX {number} | KUNDENS KOPI | Kontaktløs | GODKENDT | Dankort {number}
shop: {last}s Bageri | {brand} Købmand | Café {brand} | Konditori {last} | {place} Apotek | Restaurant {brand} | Pizzaria {brand} | {brand} Marked | Slagter {last} | {last}s Boghandel | Blomster {first} | Hotel {place} | Tanken {place} | {last} Byggemarked | {brand} Kro | {brand} | Grillen {place} | Renseri {brand} | {place} Isenkram | Fiskehuset {last} | Kiosk {first} | Salon {first} | Bodega {brand} | Parkering {place} | Det Lille {brand} | {last} Vinhandel
goods: Letmælk 1L | Bananer løs vægt | Rugbrød | Æg 10 stk | Skiveost | Kaffe 400g | Køkkenrulle | Batterier AA | Træskruer | Pensel | Blyfri 95 | Diesel | Panodil 20 stk | Shampoo | Notesblok A5 | Pottemuld 40L | Kattemad | Appelsinjuice | Kyllingebryst | Bærepose | Lykønskningskort | LED-pære | Malertape | Danskvand 1,5L | Pant A | Løg | Tandpasta | Wienerbrød | Leverpostej | Smør 200g | Rødspætte | Slik | Parkering 2 timer | Rundstykker
meals: Smørrebrød | Stegt flæsk | Dagens ret | Kaffe | Fadøl 0,5 | Fadøl stor | Husets vin glas | Burger | Pariserbøf | Cæsarsalat | Stjerneskud | Postevand | Danskvand | Cafe latte | Wienerschnitzel | Pizza Margherita | Børnemenu | Pommes frites | Brunch | Kage | Snaps
owner: v/ {first} {last} | v/{first} {last} | Indeh. {first} {last} | Indehaver: {first} {last} | ved {first} {last} | Familien {last} | Ejer: {first} {last} | Købmand {first} {last}
registry: CVR {number} | CVR-nr. {number} | CVR nr. DK{number} | SE-nr. {number} | Reg.nr. {number} | P-nr. {number} | DK {number}
entry: Indkørsel | INDKØRSEL | Ankomst | Start | Starttid | Fra | Ind
exit: Udkørsel | UDKØRSEL | Slut | Sluttid | Til | Gyldig til | Ud
fare: Parkeringsbillet | Parkering | P-billet | Taxikørsel | Kørsel | Tur | Broafgift | Bilvask | Vaskeprogram 2 | Enkeltbillet voksen | Billet | Fast pris | El-opladning
night: Overnatning | Ophold | Dobbeltværelse | Enkeltværelse inkl. morgenmad | Logi 2 nætter | Morgenmad | Værelse | Minibar | Parkering pr. nat
balance: Saldo | Rest til betaling | Restbeløb | Udestående | At betale | Skyldigt beløb
"""

_NORWEGIAN = """
title: KVITTERING | Kvittering | SALGSKVITTERING | Salgskvittering | KUNDEKVITTERING | Kassakvittering | Bong | Regning | Foreløpig kvittering | KONTANTSALG | KUNDENS KOPI | Kontantfaktura
date: Dato | DATO | Den | Salgsdato |
time: Kl. | Tid | Klokken | kl. | KL |
number: Kvitt.nr | Kvittering nr | Kvitteringsnr | Salgskvittering | Bong | Bongnr | Bilag | Bilagsnr | Transnr | Ordrenr | Kvittering
cashier: Kasserer | Ekspeditør | Selger | Betjent av | Du ble betjent av | Servitør | Operatør | Ekspedert av | Ansatt
register: Kasse | Kassenr | Butikk | Terminal | Kassapunkt | Kasse nr. | Butikknr | KASSE
table: Bord | Bordnr | Gjester | Ta med | Spise her | Pumpe
phone: Tlf | Tlf. | Telefon | TLF | Tlf.nr
tax_id: Org.nr | Org.nr. | Org nr | Orgnr | Foretaksregisteret | ORG.NR | Org.nr NO | Organisasjonsnr | Foretaksreg. NO
subtotal: Delsum | DELSUM | Sum varer | Subtotal | Sum før rabatt | Varekjøp
discount: Rabatt | RABATT | Tilbud | Medlemsrabatt | Kupong | Kampanje | Personalrabatt | Avslag | Mengderabatt
tax: MVA {rate} | Mva {rate} | Herav mva | HERAV MVA | Herav mva {rate} | {rate} mva | Merverdiavgift {rate} | Mva-beløp {rate} | Mva
net: Netto | Grunnlag | Eks. mva | Ekskl. mva | Mva-grunnlag
gross: Brutto | Inkl. mva | Sum | Totalt
rounding: Øreavrunding | ØREAVRUNDING | Avrunding | Øresavrunding
tip: Tips | TIPS | Driks | Serviceavgift
total: TOTALT | Totalt | SUM | Sum | Å BETALE | Å betale | SUM NOK | Totalt NOK | TOTAL | Total | Sum å betale | Totalsum | TIL BETALING | Til betaling | Totalbeløp | Beløp | Sum kr | Sum inkl. mva | Totalt inkl. mva
saved: Du har spart | Du sparte | Samlet rabatt | DU HAR SPART | Total rabatt
items: Antall varer | Varer | Antall artikler | Antall | ANT. VARER
cash: KONTANT | Kontant | Kontanter | Mottatt | Mottatt kontant | Betalt kontant
card: BANKKORT | Bankkort | BankAxept | BANKAXEPT | VISA | MASTERCARD | Kort | Kortbetaling | Kontaktløs | VIPPS | Vipps | Kredittkort
change: VEKSEL | Veksel | TILBAKE | Tilbake | Vekslepenger | Retur
other_date: Bytte innen {day} | Byttefrist {day} | Gyldig til {day} | Poeng utløper {day} | Utskrift {day} | Åpent kjøp til {day} | Best før {day}
points: Poeng {number} | Medlemsnr {number} | Medlem {number} | Bonuspoeng {number} | Kundekort {number} | Opptjent bonus {amount}
thanks: Takk for besøket | TAKK FOR BESØKET | Takk for handelen! | Velkommen tilbake | TAKK FOR HANDELEN | Velkommen igjen | Ha en fin dag! | Ta vare på kvitteringen
note: Åpent man-fre 9-20 lør 9-18 | 30 dagers åpent kjøp mot kvittering | Bytterett 14 dager | Åpent alle dager 7-23 | www.{brand}.example | Ta vare på kvitteringen | WiFi: {brand}{number} | Pant {amount} | En del av {brand}-gruppen | Kundeservice {number} | Følg oss på @{brand} | Pris inkl. mva
slip: Terminal {number} | TERM: {number} | Butikknr {number} | VAREKJØP | Beløp {total} | NOK {total} | Aut.kode {number} | Ref.nr {number} | AID: A0000000{number} | BAX: {number} | ************{number} | KUNDENS KOPI | BankAxept | Kontaktløs | GODKJENT
shop: {last}s Bakeri | {brand} Dagligvare | Kafé {brand} | Konditori {last} | Apotek {brand} | {place} Jernvare | Restaurant {brand} | Pizzeria {brand} | {brand} Mat | {last} Bokhandel | Blomster {first} | {place} Hotell | {brand} Bensin | Bygg {last} | {brand} Kro | {brand} | Gatekjøkken {place} | Renseri {brand} | {place} Landhandel | Fiskebutikken {last} | Kiosk {first} | Frisør {first} | {brand} Marked | Parkering {place} | {last} Sport | Gjestegård {brand}
goods: Lettmelk 1L | Bananer løsvekt | Grovbrød | Egg 12 stk | Gulost skivet | Kaffe filtermalt | Tørkerull | Batterier AA | Treskruer | Malekost | Bensin 95 | Diesel | Paracet 20 stk | Sjampo | Notatbok A5 | Plantejord 40L | Kattemat | Appelsinjuice | Kyllingfilet | Bærepose | Gratulasjonskort | LED-pære | Maskeringsteip | Mineralvann 1,5L | Pant | Gul løk | Tannkrem | Skolebolle | Kjøttdeig 400g | Smør 500g | Brunost | Smågodt | Parkering 2 timer | Lefse
meals: Dagens rett | Kjøttkaker | Fiskesuppe | Kaffe | Kaffe latte | Øl 0,5 | Husets vin glass | Burger | Reinsdyrgryte | Caesarsalat | Rekesmørbrød | Farris | Svele | Sjokoladekake | Pizza Margherita | Barnemeny | Pommes frites | Vaffel | Fårikål | Bacalao
owner: v/ {first} {last} | v/{first} {last} | Innehaver: {first} {last} | Innehaver {first} {last} | Inneh. {first} {last} | Familien {last} | Eier: {first} {last} | Drives av {first} {last} | Kjøpmann {first} {last}
registry: Foretaksregisteret NO {number} MVA | Org.nr {number} MVA | Org.nr. NO {number} MVA | NO {number} MVA Foretaksregisteret | Org.nr {number} | Orgnr: {number} MVA
entry: Innkjøring | INNKJØRING | Ankomst | Start | Starttid | Fra | Inn
exit: Utkjøring | UTKJØRING | Slutt | Sluttid | Til | Gyldig til | Ut
fare: Parkeringsavgift | Parkering | P-avgift | Taxitur | Kjøring | Tur | Bompenger | Bilvask | Vaskeprogram 2 | Enkeltbillett voksen | Billett | Fastpris | Elbillading
night: Overnatting | Losji | Dobbeltrom | Enkeltrom inkl. frokost | Losji 2 netter | Frokost | Rom | Minibar | Parkering per natt
balance: Saldo | Rest å betale | Restbeløp | Utestående | Å betale | Gjenstår
"""

_FINNISH = """
title: KUITTI | Kuitti | KASSAKUITTI | Kassakuitti | KÄTEISKUITTI | Käteiskuitti | ASIAKKAAN KAPPALE | Lasku | OSTOKUITTI | Ostokuitti | Myyntikuitti | KORTTITAPAHTUMA | Kopio
date: Pvm | PVM | Päivä | Päiväys | Päivämäärä | pvm |
time: Klo | klo | KLO | Aika | Kello |
number: Kuittinro | Kuitti | Kuitti nro | Kuittinumero | Tositenro | Tosite | Lasku nro | Tap.nro | Tapahtuma | Kuitti no. | Tilaus
cashier: Myyjä | Kassanhoitaja | Teitä palveli | Sinua palveli | Asiakaspalvelija | Tarjoilija | Käyttäjä | MYYJÄ
register: Kassa | Pääte | Kassapääte | Myymälä | Kassanro | Kassa nro | Piste | KASSA
table: Pöytä | Pöytä nro | Asiakkaita | Mukaan | Henkilöä | Mittari
phone: Puh. | Puh | Puhelin | PUH. | p.
tax_id: Y-tunnus | Y-TUNNUS | Y-tun. | LY-tunnus | Ly
subtotal: Välisumma | VÄLISUMMA | Osto yhteensä | Tuotteet yhteensä | Tuotteet | Ennen alennusta
discount: Alennus | ALENNUS | Tarjous | Etukuponki | Jäsenetu | Henkilökunta-alennus | Asiakasetu | Määräalennus | Etu
tax: ALV {rate} | Alv {rate} | ALV yhteensä | Vero {rate} | sis. alv {rate} | Alv. {rate} | SIS. ALV | Alv
net: Veroton | Netto | VEROTON | Veroton hinta
gross: Verollinen | Brutto | VEROLLINEN | Yhteensä
rounding: Pyöristys | PYÖRISTYS | Käteispyöristys | Pyöristysero
tip: Tippi | Palvelumaksu | Tip | Juomaraha
total: YHTEENSÄ | Yhteensä | SUMMA | Summa | MAKSETTAVA | Maksettava | YHTEENSÄ EUR | Yhteensä EUR | LOPPUSUMMA | Loppusumma | Maksettavaa | Kaikki yhteensä | Summa EUR | YHT. | Yht. | Maksettava yhteensä | Lasku yhteensä | OSTOT YHTEENSÄ | Yhteensä sis. alv
saved: Säästit | Säästö yhteensä | Alennukset yhteensä | SÄÄSTIT | Etusi yhteensä
items: Tuotteita | Tuotteita yhteensä | Kpl yhteensä | Rivejä | Kpl
cash: KÄTEINEN | Käteinen | Käteistä | Saatu | Annettu | Käteismaksu
card: KORTTI | Kortti | PANKKIKORTTI | Pankkikortti | KORTTIMAKSU | Korttimaksu | VISA | Visa Debit | MASTERCARD | Lähimaksu | Luottokortti | MobilePay
change: TAKAISIN | Takaisin | VAIHTORAHA | Vaihtoraha | Palautetaan
other_date: Vaihto-oikeus {day} asti | Palautusoikeus {day} saakka | Voimassa {day} asti | Pisteet vanhenevat {day} | Tulostettu {day} | Vaihto viimeistään {day} | Parasta ennen {day}
points: Pisteet {number} | Asiakasnro {number} | Jäsennumero {number} | Bonuskertymä {amount} | Kanta-asiakas {number} | Kanta-asiakaskortti ****{number}
thanks: KIITOS KÄYNNISTÄ | Kiitos käynnistä! | KIITOS JA TERVETULOA UUDELLEEN | Tervetuloa uudelleen | Kiitos ostoksestasi | KIITOS | Hyvää päivänjatkoa! | Mukavaa päivää
note: Avoinna ma-pe 8-21 la 9-18 | Vaihto- ja palautusoikeus 14 pv kuittia vastaan | Säilytä kuitti | www.{brand}.example | Wifi: {brand}{number} | Pantti {amount} | Osa {brand}-ryhmää | Säilytä kuitti takuuta varten | Asiakaspalvelu {number} | Avoinna joka päivä 7-23 | Palaute: palaute@{brand}.example | Seuraa meitä @{brand}
slip: Kortti ************{number} | Debit/Veloitus | Veloitus {total} | AID A0000000{number} | Viite {number} | Varmenne {number} | Maksupääte {number} | Kauppias {number} | HYVÄKSYTTY | Lähimaksu | ASIAKKAAN KAPPALE | Tapahtumanro {number} | TVR 00000{number} | Arkistointiviite {number}
shop: Leipomo {last} | {brand} Market | Kahvila {brand} | Konditoria {last} | Apteekki {brand} | Rautakauppa {last} | Ravintola {brand} | Pizzeria {brand} | Lounasravintola {brand} | Kirjakauppa {last} | Kukkakauppa {first} | Hotelli {place} | Huoltoasema {brand} | Autohuolto {last} | Baari {brand} | {brand} | Grilli {first} | Pesula {brand} | {brand} Express | Kalakauppa {last} | Kioski {first} | Parturi-kampaamo {first} | Elintarvike {last} | Pysäköinti {place} | Ravintola {place} | {brand} Halli
goods: Kevytmaito 1L | Banaani | Ruisleipä | Kananmuna 10 kpl | Juusto Edam | Kahvi 500g | Talouspaperi | Paristot AA | Puuruuvi | Maalisivellin | Bensiini 95 E10 | Diesel | Burana 400 mg | Shampoo | Vihko A5 | Kukkamulta 40L | Kissanruoka | Appelsiinimehu | Broilerin fileesuikale | Muovikassi | Paperikassi | Onnittelukortti | LED-lamppu | Maalarinteippi | Kivennäisvesi 1,5L | Pantti | Sipuli | Hammastahna | Karjalanpiirakka | Jauheliha 400g | Voi 500g | Korvapuusti | Irtokarkki | Pysäköinti 2 h
meals: Lounas | Lohikeitto | Lihapullat | Kahvi | Olut 0,5 l | Talon viini 12 cl | Poronkäristys | Wienerleike | Caesarsalaatti | Vissy | Hampurilaisateria | Latte | Pulla | Pizza Opera | Lasten annos | Ranskalaiset | Lonkero | Paistetut muikut | Mokkapala | Lounasbuffet
owner: Yrittäjä {first} {last} | Kauppias {first} {last} | Omistaja: {first} {last} | Perhe {last} | Yrittäjä: {first} {last} | Kauppias: {first} {last} | Om. {first} {last}
registry: Y-tunnus {number} | Y-tunnus: {number} | ALV-numero FI{number} | Kaupparek. {number} | Alv rek. FI{number} | Kotipaikka {place} | ALV-nro FI {number}
entry: Sisäänajo | SISÄÄNAJO | Saapui | Alkoi | Alkuaika | Alkaen | Tuloaika
exit: Ulosajo | ULOSAJO | Lähti | Päättyi | Loppuaika | Voimassa asti | Lähtöaika
fare: Pysäköintimaksu | Pysäköinti | Taksimatka | Matka | Ajo | Kyyti | Siltamaksu | Autopesu | Pesuohjelma 2 | Kertalippu aikuinen | Lippu | Kiinteä hinta | Sähköauton lataus
night: Majoitus | Yöpyminen | Kahden hengen huone | Huone sis. aamiainen | Majoitus 2 yötä | Aamiainen | Huone | Minibaari | Autopaikka / yö
balance: Saldo | Maksamatta | Avoinna | Jäljellä | Maksettavaa jäljellä | Loppusaldo
"""

NORTHERN = {
    language: split_lines(text)
    for language, text in (("da", _DANISH), ("fi", _FINNISH), ("nb", _NORWEGIAN), ("sv", _SWEDISH))
}
