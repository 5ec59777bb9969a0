"""German."""

from training.invent.invoices.words.base import words

GERMAN = words(
    captions="""
title: Rechnung | RECHNUNG | Rechnung / Invoice | Ausgangsrechnung | Handelsrechnung | Faktura
credit_title: Gutschrift | Rechnungskorrektur | Stornorechnung | Korrekturrechnung
number: Rechnungsnr. | Rechnungsnummer | Rechnung Nr. | Rechnungs-Nr. | Belegnummer | Beleg-Nr. | Nr. | Re.-Nr. | Dokumentnummer
date: Rechnungsdatum | Datum | Belegdatum | Ausstellungsdatum | vom | Re.-Datum
due: Fällig am | Zahlbar bis | Fälligkeit | Fälligkeitsdatum | Zahlungsziel | Zu zahlen bis
order: Bestellnummer | Ihre Bestellung | Bestell-Nr. | Auftragsnummer Kunde | Ihr Auftrag
customer_id: Kundennummer | Kunden-Nr. | Kundennr. | Kd.-Nr. | Ihre Kundennummer | Debitor
delivery: Lieferdatum | Leistungsdatum | Liefertermin | Liefer-/Leistungsdatum
period: Leistungszeitraum | Abrechnungszeitraum | Zeitraum | Lieferzeitraum
vendor_tax: USt-IdNr. | USt-ID | Umsatzsteuer-ID | UID-Nr. | Ust-Id-Nr | UID
customer_tax: Ihre USt-IdNr. | USt-IdNr. Kunde | Ihre UID
bill_to: Rechnungsempfänger | Rechnung an | Kunde | Auftraggeber | Rechnungsanschrift | Käufer
ship_to: Lieferanschrift | Lieferung an | Warenempfänger | Lieferadresse
contact: Ansprechpartner | Bearbeiter | Sachbearbeiter | Ihr Kontakt
pos: Pos. | Pos | Nr. | # | Position
code: Art.-Nr. | Artikelnummer | Artikel-Nr. | Art-Nr | Produkt
description: Bezeichnung | Beschreibung | Artikelbezeichnung | Leistung | Text | Artikel
quantity: Menge | Anzahl | Mge. | Stück
unit: Einheit | ME | Einh. | VE
price: Einzelpreis | E-Preis | Preis/Einheit | Einzel | EP | Stückpreis | Preis
discount: Rabatt | Rab. % | Nachlass
rate: MwSt. | USt. | MwSt % | USt-Satz | St.
amount: Gesamtpreis | Betrag | Gesamt | Summe | GP | Nettobetrag | Netto | Gesamt netto
subtotal: Zwischensumme | Nettobetrag | Summe netto | Netto | Gesamt netto | Nettosumme | Warenwert netto
total_discount: Rabatt | abzgl. Rabatt | Nachlass | Gesamtrabatt
tax: MwSt. | Umsatzsteuer | zzgl. {rate} MwSt. | USt. {rate} | Mehrwertsteuer {rate} | {rate} USt. | MwSt. {rate}
total_tax: Summe MwSt. | USt. gesamt | Steuerbetrag | MwSt. gesamt
total: Gesamtbetrag | Rechnungsbetrag | Gesamtsumme | Bruttobetrag | Summe brutto | Endbetrag | Gesamt | Total
prepaid: Anzahlung | bereits bezahlt | abzgl. Anzahlung | Geleistete Zahlungen
amount_due: Zahlbetrag | Zu zahlen | Offener Betrag | Restbetrag | Fälliger Betrag
carried: Übertrag | Zwischensumme/Übertrag | Übertrag von Seite
base: Netto | Bemessungsgrundlage | Steuerbasis
iban: IBAN | Konto (IBAN) | Bankverbindung IBAN
bic: BIC | SWIFT/BIC
bank: Bank | Bankverbindung | Kreditinstitut
page: Seite {page} von {pages} | Seite {page} | {page}/{pages} | Blatt {page}
phone: Tel. | Telefon | Fon
register: HRB | Handelsregister | Registergericht | FN
reference: Unser Zeichen | Projekt | Vertragsnr. | Angebot Nr. | Lieferschein-Nr.
strange: Lieferschein-Nr. | Lieferschein vom | Auftrags-Nr. | Bestelldatum | GLN | Kostenstelle | Vertreter | Tour | Lieferantennr. | Versandart | Steuernummer | Objekt | Zählernummer | Buchungskreis
""",
    sentences="""
intro: Wir bedanken uns für Ihren Auftrag und berechnen Ihnen wie folgt: | Für unsere Leistungen erlauben wir uns zu berechnen: | Sehr geehrte Damen und Herren, vereinbarungsgemäß stellen wir in Rechnung: | Wir lieferten Ihnen:
numbered: Rechnung Nr. {number} vom {date} | Rechnung {number} vom {date} | Unsere Rechnung {number}, ausgestellt am {date}
terms: Zahlbar innerhalb von {days} Tagen ohne Abzug. | Zahlungsbedingungen: {days} Tage netto | Bitte zahlen Sie innerhalb von {days} Tagen. | Zahlungsziel {days} Tage
discount_terms: {percent} Skonto bei Zahlung innerhalb von {days} Tagen. | {days} Tage {percent} Skonto, 30 Tage netto
due_on: Bitte überweisen Sie den Betrag bis zum {due}. | Zahlbar ohne Abzug bis {due}. | Der Betrag ist am {due} fällig.
thanks: Vielen Dank für Ihren Einkauf! | Mit freundlichen Grüßen | Wir danken für das Vertrauen. | Bei Fragen rufen Sie uns gerne an.
exempt: Gemäß § 19 UStG wird keine Umsatzsteuer berechnet. | Steuerfreie innergemeinschaftliche Lieferung. | Steuerschuldnerschaft des Leistungsempfängers (Reverse Charge).
credit: Gutschrift zur Rechnung {reference}. | Korrektur unserer Rechnung {reference} wegen Rücksendung.
total_sentence: Der Rechnungsbetrag lautet {total}. | Bitte überweisen Sie {total} auf unser Konto.
note: Die Ware bleibt bis zur vollständigen Bezahlung unser Eigentum. | Es gelten unsere allgemeinen Geschäftsbedingungen. | Lieferung frei Haus. | Lieferschein {code}, 12 Kartons, 148 kg brutto | Gerichtsstand ist der Sitz des Verkäufers. | Servicezeiten Mo-Fr 8:30 bis 17:00 Uhr
""",
    articles="""
Stk. 2 60: USB-Kabel 2 m | Kugelschreiber blau, 50er Pack | Sechskantschraube M8x40 | LED-Lampe E27 9 W | Schutzhandschuhe Gr. L | Türgriff Edelstahl | Kopierpapier A4 80 g | Tonerkassette schwarz | Verlängerungskabel 5 m | Verbandkasten Nachfüllset | Kaffeebecher bedruckt | Sack Blumenerde 40 l
Stk. 80 2400: Bürostuhl ergonomisch | Laserdrucker | Notebook 14 Zoll | Schreibtisch höhenverstellbar | Akku-Bohrschrauber 18 V | Netzwerk-Switch 24 Port | Umwälzpumpe | Aktenschrank | Überwachungskamera | Heizkörper Typ 22 | Waschtisch mit Armatur
Std. fine 35 180: Beratung | Softwareentwicklung | Montage vor Ort | Projektleitung | Grafikdesign | Elektroarbeiten | Technischer Support | Lektorat | Malerarbeiten Facharbeiter
kg fine 1 24: Kaffeebohnen Arabica | Weizenmehl Type 550 | Kupferdraht | Äpfel Klasse I | Blechzuschnitt
Monat 9 420: Webhosting Business | Softwarelizenz Einzelplatz | Büroreinigung | Wartungsvertrag | Lagerraummiete | Internetanschluss 250 Mbit/s
Tag 180 1250: Workshop-Moderation | Kranmiete mit Bediener | Schulung vor Ort | Mietwagen Kompaktklasse
pauschal 15 900: Versandkosten | Reisekosten | Einrichtungspauschale | Entsorgungspauschale | Anfahrt | Expresszuschlag
""",
    details="Farbe: anthrazit | Größe XL | Seriennr. 4471-B | gemäß Ihrer Vorgabe | 2 Jahre Garantie | inkl. Montagematerial | KW 23 | für Filiale Nord | Charge 2207-11 | Ausführung links",
    sections="Material | Arbeitszeit | Gebäude A | Erdgeschoss | Laufende Kosten | Einmalige Kosten | Auftrag vom 12. Mai",
)
