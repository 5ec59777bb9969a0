"""German."""

from training.invent.invoices.words.base import words

GERMAN = words(
    captions="""
title: Rechnung | RECHNUNG | Rechnung / Invoice | Ausgangsrechnung | Handelsrechnung | Faktura | Warenrechnung | Ihre Rechnung | Dienstleistungsrechnung | Abrechnung | Jahresrechnung | Honorarrechnung | Mietrechnung | Teilrechnung | Schlussrechnung | Sammelrechnung | Beleg | Kostenrechnung
credit_title: Gutschrift | Rechnungskorrektur | Stornorechnung | Korrekturrechnung | Wertgutschrift | Gutschriftsanzeige | Warenkorrektur | Storno
number: Rechnungsnr. | Rechnungsnummer | Rechnung Nr. | Rechnungs-Nr. | Belegnummer | Beleg-Nr. | Nr. | Re.-Nr. | Dokumentnummer | Rechnung # | Rechnungs-Nummer | Rg.-Nr. | Rechn.-Nr. | Rechnung-Nr. | Beleg Nr | Rechnungskennung | RgNr | # | Vorgangsnr. | Vorgang | Aktenzeichen | Unser Zeichen | Buchungsnummer | Abrechnungs-Nr. | Faktura-Nr. | Referenz | Zeichen | Quittungs-Nr. | Bescheid-Nr. | Honorarnote Nr.
date: Rechnungsdatum | Datum | Belegdatum | Ausstellungsdatum | vom | Re.-Datum | Beleg-Datum | Datum der Rechnung | erstellt am | Rg.-Datum | Rechnung vom | Rechnungs-Datum | Ausgestellt am | Druckdatum
due: Fällig am | Zahlbar bis | Fälligkeit | Fälligkeitsdatum | Zahlungsziel | Zu zahlen bis | Zahlung bis | Spätestens zahlbar | Valuta | zahlbar am | Abbuchung am | Zahlungstermin | Fälligkeitstermin | Fällig zum
order: Bestellnummer | Ihre Bestellung | Bestell-Nr. | Auftragsnummer Kunde | Ihr Auftrag | Ihre Bestellnummer | Bestell-Nr | Bestellung | Ihre Auftragsnr. | Ihr Zeichen | Bestellreferenz | Auftrag
customer_id: Kundennummer | Kunden-Nr. | Kundennr. | Kd.-Nr. | Ihre Kundennummer | Debitor | Kunden-Nummer | Ihre Nummer | Ihre Nr. | KdNr | Vertragskonto | Debitorennr. | Mitgliedsnr. | Mandant | Kunde Nr. | Käufernummer
delivery: Lieferdatum | Leistungsdatum | Liefertermin | Liefer-/Leistungsdatum | Lieferung am | Leistung am | Lieferung/Leistung | Tag der Lieferung | Liefer- und Leistungsdatum | Liefer- bzw. Leistungsdatum | Leistungs-Datum | Versanddatum
period: Leistungszeitraum | Abrechnungszeitraum | Zeitraum | Lieferzeitraum | Abrechnung für | Verbrauchszeitraum | Zeitraum der Leistung | Liefer-/Leistungszeitraum | Mietzeitraum
vendor_tax: USt-IdNr. | USt-ID | Umsatzsteuer-ID | UID-Nr. | Ust-Id-Nr | UID | USt.-IdNr. | Umsatzsteuer-Identifikationsnummer | UStID | USt-ID-Nr. | Ust.ID | VAT-ID | UID Nummer | MWST-Nr.
customer_tax: Ihre USt-IdNr. | USt-IdNr. Kunde | Ihre UID | Kunden-USt-IdNr. | Ihre UStID | USt-ID Käufer | USt-IdNr. des Kunden
bill_to: Rechnungsempfänger | Rechnung an | Kunde | Auftraggeber | Rechnungsanschrift | Käufer | Rechnungsadresse | Empfänger | Käufer / Leistungsempfänger | An | Leistungsempfänger | Kundenanschrift | Besteller | Mieter | Patient | Vertragspartner | Abweichender Rechnungsempfänger
ship_to: Lieferanschrift | Lieferung an | Warenempfänger | Lieferadresse | Abweichender Warenempfänger | Lieferstelle | Verbrauchsstelle | Leistungsadresse | Leistungsort | Objekt
contact: Ansprechpartner | Bearbeiter | Sachbearbeiter | Ihr Kontakt
pos: Pos. | Pos | Nr. | # | Position
code: Art.-Nr. | Artikelnummer | Artikel-Nr. | Art-Nr | Produkt | Artikel | Art.Nr. | GTIN | EAN | Bestell-Nr. | Produktnr. | Mat.-Nr.
description: Bezeichnung | Beschreibung | Artikelbezeichnung | Leistung | Text | Artikel | Produkt | Leistungsbeschreibung | Position | Tätigkeit | Warenbezeichnung | Gegenstand | Artikel/Leistung | Beschreibung / Preis | Kostenart | Behandlung
quantity: Menge | Anzahl | Mge. | Stück | Anz. | Stück/Std. | Menge/Einheit | Stunden | Verbrauch | Anzahl/Menge
unit: Einheit | ME | Einh. | VE
price: Einzelpreis | E-Preis | Preis/Einheit | Einzel | EP | Stückpreis | Preis | Einzelpreis € | Nettopreis | EP netto | Preis je Einheit | Satz | Stundensatz | E.-Preis | Einzel/€ | Arbeitspreis
discount: Rabatt | Rab. % | Nachlass
rate: MwSt. | USt. | MwSt % | USt-Satz | St. | MwSt-% | USt % | Steuer | Steuersatz | MwSt.-Satz
amount: Gesamtpreis | Betrag | Gesamt | Summe | GP | Nettobetrag | Netto | Gesamt netto | Gesamt/€ | Nettowert | Pos-Betrag | G-Preis | Gesamtbetrag | Betrag EUR | Summe € | Pos.-Betrag ohne USt. | Betrag netto | Wert
subtotal: Zwischensumme | Nettobetrag | Summe netto | Netto | Gesamt netto | Nettosumme | Warenwert netto | Net amount | Nettowert | Summe der Positionen netto | Rechnungsbetrag netto | Gesamtbetrag Netto | Warenwert | Nettorechnungsbetrag | Summe (netto) | Entgelt | Zwischensumme netto | Gesamtpreis netto
total_discount: Rabatt | abzgl. Rabatt | Nachlass | Gesamtrabatt
tax: MwSt. | Umsatzsteuer | zzgl. {rate} MwSt. | USt. {rate} | Mehrwertsteuer {rate} | {rate} USt. | MwSt. {rate} | Umsatzsteuer {rate} | zzgl. {rate} USt. | +{rate} MwSt | Umsatzsteuer ({rate}) | MwSt-Betrag | zuzügl. {rate} MwSt. | Zuzügl. USt | {rate} Mehrwertsteuer | plus MwSt {rate} | UST
total_tax: Summe MwSt. | USt. gesamt | Steuerbetrag | MwSt. gesamt | Umsatzsteuer | MwSt.-Betrag | Steuerbetrag gesamt | USt. Gesamt | Summe USt. | enthaltene MwSt.
tax_within: darin enthalten {rate} MwSt. | enthaltene USt. {rate} | inkl. {rate} MwSt. | davon MwSt. {rate} | Im Betrag enthaltene Umsatzsteuer | darin MwSt.
trading: {brand} ist eine Marke der {name} | {name}, handelnd unter {brand} | {brand} wird betrieben von {name} | Ein Unternehmen der {name} | Rechnungssteller: {name} | Anbieter im Sinne des Gesetzes: {name}
regards: Mit freundlichen Grüßen | Freundliche Grüsse | Beste Grüße | Hochachtungsvoll | Unterschrift | Ihr Team
total: Gesamtbetrag | Rechnungsbetrag | Gesamtsumme | Bruttobetrag | Summe brutto | Endbetrag | Gesamt | Total | Rechnungssumme | Gesamtbetrag Brutto | Zahlbetrag | Summe inkl. USt | Bruttosumme | Summe inkl. MwSt. | Gesamtrechnungsbetrag | Rechnungsendbetrag | Gesamtpreis brutto | Brutto | zu zahlender Betrag | SUMME
prepaid: Anzahlung | bereits bezahlt | abzgl. Anzahlung | Geleistete Zahlungen | Vorausbezahlter Betrag | bereits gezahlt | Abschlagszahlungen | abzüglich Vorauszahlung | geleistete Abschläge | erhalten
amount_due: Zahlbetrag | Zu zahlen | Offener Betrag | Restbetrag | Fälliger Betrag | Noch zu zahlen | Rechnungsbetrag offen | Forderung | Nachzahlung | zu zahlender Betrag | Verbleibender Betrag
carried: Übertrag | Zwischensumme/Übertrag | Übertrag von Seite
base: Netto | Bemessungsgrundlage | Steuerbasis
iban: IBAN | Konto (IBAN) | Bankverbindung IBAN
bic: BIC | SWIFT/BIC
bank: Bank | Bankverbindung | Kreditinstitut
page: Seite {page} von {pages} | Seite {page} | {page}/{pages} | Blatt {page}
phone: Tel. | Telefon | Fon
register: HRB | Handelsregister | Registergericht | FN
reference: Unser Zeichen | Projekt | Vertragsnr. | Angebot Nr. | Lieferschein-Nr.
seller: Verkäufer | Lieferant | Rechnungssteller | Absender | Von | Leistungserbringer | Aussteller | Rechnung von | Firma | Anbieter
charge: Versandkosten | Fracht | Porto und Verpackung | Transportkosten | Zuschlag | Versand | Lieferkosten
attn: z. Hd. {name} | z.Hd. {name} | {name} | Abteilung Einkauf | Buchhaltung | c/o {name}
salutation: Herr | Frau | Firma | Herrn | Familie | Eheleute
director: Geschäftsführer | Geschäftsführung | Inhaber | Inh. | Vorstand
holder: Kontoinhaber | Zahlungsempfänger | Empfänger
detail: Nettopreis | Bruttopreis | Artikelrabatt | Verpackung | EAN | Seriennr. | Gewicht | Lieferschein | Herkunft | Abschlag
gross: Brutto | inkl. MwSt. | Bruttobetrag | Gesamt brutto | Endpreis
taxed: MwSt.-Betrag | USt.-Betrag | MwSt. | Steuer
day: Datum | Leistungsdatum | Tag | geliefert
currency: Währung | Rechnungswährung | Alle Beträge in | Whg.
place_date: {place}, den {date} | {place}, {date} | {date} | {place} am {date}
other: Zahlungsempfänger | Steuervertreter | Vertreter | Abweichender Zahler | Bauherr | Hausverwaltung | Spediteur | Ansprechpartner
previous: Alter Saldo | Saldo der letzten Rechnung | Letzte Rechnung | Saldovortrag
payment: Ihre Zahlung, vielen Dank | Zahlungseingang | Zahlungen seit letzter Rechnung
new_charges: Neue Forderung | Aktuelle Rechnung | Summe dieser Rechnung | Beträge dieser Rechnung
reading: Zähler-Nr. | Stand alt | Stand neu | Differenz
of_base: {rate} auf {base} | {rate} von {base} | {rate}, Basis {base}
named: Name | Firma | Firmenname | Bezeichnung
street: Straße | Anschrift | Straße, Hausnummer | Adresszeile 1
town: Ort | PLZ / Ort | Stadt | Adresszeile 2
adjustment: Abschlag | Zuschlag | Rabatt auf Rechnungsebene | Zu- und Abschläge
banner: Scan {code} | Anzeigeprogramm Version {version} vom {day} | Stand der Codelisten: {day} | Original für den Kunden | Eingegangen am {day} | Darstellung der Daten einer E-Rechnung, Version {version} | Formular {code} | Profil: EN 16931, {version} | Elektronisch erstellt, ohne Unterschrift gültig | Copyright {day} | Archiv-Nr. {code}
order_title: Bestellung | BESTELLUNG | Einkaufsbestellung | Auftrag | Lieferabruf | Bestellauftrag
ordered: Bestellt | Bestellmenge | Best. | Auftragsmenge
open: Rückstand | Offen | Restmenge
weight: Gewicht | Nettogewicht | Gew. kg | kg
lot: Zolltarif | Charge | Lager | Lagerplatz | Seriennr. | Kostenstelle | KST
slip: Zahlschein | Überweisungsbeleg | Bitte bei Zahlung angeben | Abschnitt für den Zahler | Zahlungsabschnitt
span: vom {first} bis {last} | {first} bis {last} | von {first} bis zum {last}
own_order: Unsere Auftragsnr. | Auftrags-Nr. | Auftrag | Auftragsbestätigung | AB-Nr. | Unser Auftrag | Kommission
begin: von | Anreise | Beginn | Zeitraum von | ab
end: bis | Abreise | Ende | Zeitraum bis | bis einschl.
strange: Lieferschein-Nr. | Auftrags-Nr. | Bestelldatum | GLN | Kostenstelle | Vertreter | Tour | Lieferantennr. | Versandart | Steuernummer | Objekt | Zählernummer | Buchungskreis | Angebots-Nr. | Reservierung | Projekt-Nr. | Angebot vom | Policen-Nr. | Kennzeichen | Zimmer | Baustelle | Sachbearbeiter | Steuernummer | St.-Nr. | Zimmer | Lieferstelle | Betriebsnr. | Rahmenvertrag | Aktenzeichen | Zulassung | Mandats-Nr.
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
pay_all: Bitte überweisen Sie {total} bis zum {due} auf das unten genannte Konto. | Den Betrag von {total} buchen wir am {due} von Ihrem Konto ab. | Der Gesamtbetrag von {total} ist bis {due} zu zahlen.
summary: Der Nettobetrag beträgt {subtotal}, zuzüglich Umsatzsteuer von {tax}, insgesamt also {total}. | Netto {subtotal}, MwSt. {tax}, brutto {total}.
note: Die Ware bleibt bis zur vollständigen Bezahlung unser Eigentum. | Es gelten unsere allgemeinen Geschäftsbedingungen. | Lieferung frei Haus. | Lieferschein {code}, 12 Kartons, 148 kg brutto | Gerichtsstand ist der Sitz des Verkäufers. | Servicezeiten Mo-Fr 8:30 bis 17:00 Uhr | Rückgabe bis {day} möglich. | Neue Preise gelten ab {day}. | Ihre nächste Rechnung erhalten Sie am {day}. | Darin enthaltener Lohnanteil {amount}. | Freistellungsbescheinigung {code} gültig bis {day}. | Gemäß unserem Angebot {code} vom {day}. | Aufmaß vom {day} liegt bei. | Sie sparen {amount} gegenüber dem Listenpreis. | Garantie bis {day}, Urkunde {code}. | Ab {day} berechnen wir {amount} Mahngebühr. | Vertrag {code}, Mindestlaufzeit bis {day}.
""",
    articles="""
kWh fine 0.08 0.6: Strom Arbeitspreis HT | Erdgas | Netznutzung
GB 1 15: Datenvolumen zusätzlich | Cloud-Speicher
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
