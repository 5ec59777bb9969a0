"""Dutch."""

from training.invent.invoices.words.base import words

DUTCH = words(
    captions="""
title: Factuur | FACTUUR | Verkoopfactuur | Rekening | Uw factuur | Nota | Jaarafrekening | Verzamelfactuur | Declaratie
credit_title: Creditnota | Creditfactuur | CREDITNOTA
number: Factuurnummer | Factuurnr. | Factuur nr. | Nummer | Fact. nr. | Documentnummer | Nr. | Factuur # | Nota nr. | Fact.nr. | Referentie | Ref. | Notanummer | Kenmerk | Ons kenmerk | Bonnummer | Dossiernr. | Declaratienr. | Afrekening nr.
date: Factuurdatum | Datum | Datum factuur | Uitgiftedatum | Opgemaakt op | Notadatum | d.d.
due: Vervaldatum | Betalen voor | Uiterste betaaldatum | Vervaldag | Te betalen voor | Vervalt op | Incassodatum
order: Bestelnummer | Uw order | Ordernummer | Uw referentie | Inkooporder | PO-nummer
customer_id: Klantnummer | Klantnr. | Debiteurnummer | Debiteurennr. | Relatienummer | Uw klantnr. | Debiteur
delivery: Leverdatum | Datum levering | Geleverd op | Prestatiedatum
period: Periode | Factuurperiode | Leveringsperiode | Verbruiksperiode
vendor_tax: BTW-nummer | Btw-nr. | BTW nr. | Btw-id | BTW | BTW-nr. | BTW nummer | Btw-identificatienr.
customer_tax: Uw BTW-nummer | BTW klant | Btw-nr. klant | Uw BTW-nr. | BTW-nr. klant | Uw btw-nummer
bill_to: Factuuradres | Aan | Klant | Gefactureerd aan | Factuur aan | Factureren aan | Geadresseerde | Afnemer | Debiteur | T.a.v.
ship_to: Afleveradres | Leveren aan | Leveradres | Verbruiksadres | Bezorgen op
contact: Contactpersoon | Behandeld door | Contact
pos: Nr. | Pos. | Regel | #
code: Artikelnr. | Artikelcode | Art. nr. | Code
description: Omschrijving | Beschrijving | Artikel | Product of dienst | Product | Dienst | Werkzaamheden | Specificatie
quantity: Aantal | Hoeveelheid | Aant. | Uren | Stuks
unit: Eenheid | Eenh. | Per
price: Prijs | Stukprijs | Prijs per stuk | Tarief | Eenheidsprijs | Stuksprijs | Netto prijs
discount: Korting | Krt. % | Korting %
rate: BTW | BTW % | Btw-tarief
amount: Bedrag | Totaal | Totaal excl. | Bedrag excl. BTW | Regeltotaal | Netto | Bedrag excl.
subtotal: Subtotaal | Totaal excl. BTW | Netto | Totaal exclusief btw | Nettobedrag | Totaal excl. btw | Bedrag excl. | Totaal exclusief BTW | Grondslag
total_discount: Korting | Totale korting | Kortingsbedrag
tax: BTW | BTW {rate} | {rate} BTW | Btw-bedrag | Totaal BTW | Btw | BTW bedrag | BTW ({rate}) | Omzetbelasting {rate}
total_tax: Totaal btw | Btw-bedrag | BTW totaal | Totaal BTW | BTW
tax_within: Waarvan btw {rate} | inclusief {rate} btw | Inbegrepen btw | waarvan btw
trading: {brand} is een handelsnaam van {name} | {name}, handelend onder de naam {brand} | {brand} is onderdeel van {name} | Uitgevoerd door {name}
regards: Met vriendelijke groet | Hartelijke groet | Met groet, | Hoogachtend | Handtekening
total: Totaal | Totaal incl. BTW | Factuurbedrag | Totaalbedrag | Totaal inclusief btw | Totaal incl. btw | Te betalen | Totaal inclusief BTW | Eindtotaal
prepaid: Aanbetaling | Reeds betaald | Voorschot | Betaald
amount_due: Te betalen | Nog te betalen | Openstaand bedrag | Te voldoen | Openstaand | Restbedrag | Saldo
carried: Transport | Over te brengen | Subtotaal vorige pagina
base: Netto | Grondslag | Bedrag excl.
iban: IBAN | Rekeningnummer | Bankrekening
bic: BIC | SWIFT
bank: Bank | Bankgegevens | Rekening bij
page: Pagina {page} van {pages} | Pagina {page} | {page}/{pages}
phone: Tel. | Telefoon | T
register: KvK | KvK-nummer | Handelsregister
reference: Onze ref. | Offertenummer | Project | Contractnummer | Pakbon
seller: Verkoper | Leverancier | Van | Afzender | Opdrachtnemer | Uitgegeven door
charge: Verzendkosten | Vracht | Porto | Transportkosten | Administratiekosten
attn: T.a.v. {name} | t.a.v. {name} | {name} | Crediteurenadministratie | Afdeling Inkoop
salutation: De heer | Mevrouw | Dhr. | Mevr. | Fam.
director: Directeur | Eigenaar | Bestuurder | Zaakvoerder
holder: T.n.v. | Rekeninghouder | Begunstigde
detail: Nettoprijs | Brutoprijs | Korting | Verpakking | EAN | Serienr. | Gewicht | Pakbon | Herkomst
gross: Incl. btw | Bruto | Totaal incl. | Bedrag incl.
taxed: BTW-bedrag | Btw | BTW
day: Datum | Dag | Geleverd
currency: Valuta | Munt | Bedragen in
place_date: {place}, {date} | {date} | Datum: {date} | {place} {date}
other: Begunstigde | Fiscaal vertegenwoordiger | Vervoerder | Opdrachtgever | Tussenpersoon | Betaler
previous: Vorig saldo | Vorige factuur | Openstaand van vorige factuur
payment: Uw betaling, dank u | Ontvangen betalingen | Betaald sinds vorige factuur
new_charges: Nieuwe kosten | Kosten deze periode | Bedrag van deze factuur
reading: Meternummer | Oude stand | Nieuwe stand | Verschil
of_base: {rate} over {base} | {rate} van {base} | {rate}, grondslag {base}
named: Naam | Bedrijf | Bedrijfsnaam | Handelsnaam
street: Straat | Adres | Adresregel 1 | Straat en nummer
town: Plaats | Postcode / Plaats | Stad | Woonplaats
adjustment: Korting op document | Toeslag | Kortingen en toeslagen | Aftrek
banner: Gescand document {code} | Weergave versie {version} van {day} | Codelijsten per {day} | Origineel voor de klant | Ontvangen op {day} | Weergave van gegevens van e-facturen {version} | Formulier {code} | Profiel: EN 16931, {version} | Elektronisch document zonder handtekening | Copyright {day} | Archief nr. {code}
order_title: Inkooporder | BESTELLING | Bestelling | Bestelbon | Order | Afroeporder
ordered: Besteld | Aantal besteld | Best.
open: Naleveren | Openstaand | Rest
weight: Gewicht | Nettogewicht | Bruto kg | kg
lot: Goederencode | Partij | Magazijn | Serienr. | Locatie | Kostenplaats
slip: Betaalstrook | Vermeld bij betaling | Afknipstrook | Acceptgiro
span: van {first} tot {last} | {first} t/m {last} | van {first} tot en met {last}
own_order: Onze order | Ordernummer | Orderbevestiging | Intern ordernr. | Bestelnummer | Opdracht
begin: Van | Aankomst | Begin | Begindatum | Periode van
end: Tot | Vertrek | Einde | Einddatum | Tot en met
strange: Pakbon | Besteldatum | Interne ref. | Vertegenwoordiger | Project | Leveranciersnr. | Verzendwijze | Contractnummer | Meternummer | Magazijn | Kostenplaats | Offertenr. | Boekingsnr. | Reservering | Uw kenmerk | Polisnr. | Kenteken | Offertedatum | Afdrukdatum | Kamer | Werkordernr. | Ritnummer | Aansluiting | Kamer | EAN-code | Dossiernr. | Werkbon | Kenteken | Polisnr. | Offertenr. | Ondernemingsnr.
""",
    sentences="""
intro: Hierbij brengen wij u in rekening: | Voor de verrichte werkzaamheden: | Bedankt voor uw bestelling. Overzicht: | Geachte heer/mevrouw, wij factureren u:
numbered: Factuur {number} van {date} | Factuur nr. {number} d.d. {date} | Factuurnummer {number}, datum {date}
terms: Betaling binnen {days} dagen. | Betalingstermijn: {days} dagen netto | Gelieve te betalen binnen {days} dagen.
discount_terms: {percent} korting bij betaling binnen {days} dagen. | {percent} bij {days} dagen
due_on: Gelieve te betalen voor {due}. | Het bedrag vervalt op {due}. | Wij zien uw betaling graag uiterlijk {due} tegemoet.
thanks: Bedankt voor uw opdracht. | Met vriendelijke groet | Dank voor het vertrouwen.
exempt: Vrijgesteld van btw. | BTW verlegd. | Intracommunautaire levering, 0% btw.
credit: Creditering van factuur {reference}. | Betreft onze factuur {reference}.
total_sentence: Het totaalbedrag is {total}. | Wij verzoeken u {total} over te maken op onze rekening.
pay_all: Gelieve {total} te betalen voor {due}. | Het bedrag van {total} wordt op {due} afgeschreven.
summary: Het nettobedrag is {subtotal}, vermeerderd met {tax} btw, samen {total}. | Netto {subtotal}, btw {tax}, totaal {total}.
note: Op al onze leveringen zijn onze voorwaarden van toepassing. | Goederen blijven eigendom tot volledige betaling. | Franco huis geleverd. | Pakbon {code}, 12 dozen, 148 kg | Bereikbaar ma-vr 8.30-17.00 uur | Retourneren kan tot {day}. | Nieuwe prijzen vanaf {day}. | Uw volgende factuur ontvangt u op {day}. | Waarvan arbeid {amount}. | Volgens onze offerte {code} van {day}. | Vergunning {code} geldig tot {day}. | U bespaart {amount} op de adviesprijs. | Garantie tot {day}, bewijs {code}. | Na {day} rekenen wij {amount} kosten.
""",
    articles="""
kWh fine 0.08 0.6: Elektriciteit normaal | Aardgas | Netbeheer
GB 1 15: Extra mobiele data | Cloudopslag
st. 2 60: USB-kabel 2 m | Balpen blauw, doos van 50 | Bout M8x40 | Ledlamp E27 9 W | Werkhandschoenen maat L | Deurkruk rvs | Kopieerpapier A4 80 g | Toner zwart | Verlengsnoer 5 m | Verbandkoffer | Bedrukte mok | Zak potgrond 40 l
st. 80 2400: Bureaustoel | Laserprinter | Laptop 14 inch | Zit-stabureau | Accuboormachine 18 V | Netwerkswitch 24 poorten | Waterpomp | Archiefkast | Beveiligingscamera | Radiator type 22 | Wastafel met kraan
uur fine 35 160: Advies | Softwareontwikkeling | Montage op locatie | Projectleiding | Grafisch ontwerp | Elektrawerk | Technische ondersteuning | Vertaling | Schilderwerk
kg fine 1 24: Koffiebonen arabica | Tarwebloem | Koperdraad | Appels klasse I | Kaas jong belegen
maand 9 420: Webhosting zakelijk | Softwarelicentie | Schoonmaak kantoor | Onderhoudscontract | Huur opslagruimte | Glasvezelverbinding
dag 180 1250: Workshop | Kraanhuur met machinist | Training op locatie | Huurauto
post 15 900: Verzendkosten | Reiskosten | Installatiekosten | Afvoerkosten | Spoedtoeslag
""",
    details="kleur antraciet | maat XL | serienr. 4471-B | volgens opgave | 2 jaar garantie | incl. bevestiging | week 23 | voor filiaal Noord | partij 2207-11",
    sections="Materiaal | Arbeid | Gebouw A | Begane grond | Abonnementen | Eenmalig | Order van 12 mei",
)
