"""What tills print in Dutch, English, French, German, Italian, Polish, Portuguese and Spanish."""

from __future__ import annotations

from training.invent.invoices.words.base import split_lines

_ENGLISH = """
title: RECEIPT | TAX INVOICE | SALES RECEIPT | CUSTOMER COPY | GUEST CHECK | Receipt | Your receipt | VAT RECEIPT | ORDER | SALE
date: Date | DATE | Date: | Trans date | Sale date |
time: Time | TIME | at |
number: Receipt no. | Trans # | Check # | Invoice | Bill No | TXN | Order | Ref | Ticket
cashier: Cashier | Served by | Server | You were served by | Clerk | Operator | Staff
register: Till | Register | Terminal | POS | Lane | Reg | Store
table: Table | TBL | Guests | Covers | Dine In | Takeaway
phone: Tel | Phone | Ph | T | Call us | Tel.
tax_id: VAT Reg No | VAT No. | ABN | GST No | GSTIN | Tax ID | GST Reg. No | EIN
subtotal: Subtotal | SUBTOTAL | Sub-total | Sub Total | NET SALES | Food & drink
discount: Discount | Promotion | Coupon | Multibuy | Loyalty discount | Member price | Staff disc. | SAVE
tax: VAT {rate} | GST {rate} | Sales tax | Tax | TAX {rate} | HST {rate} | State tax {rate} | VAT @ {rate} | incl. GST
net: Net | Taxable | Goods | Ex VAT
gross: Gross | Total | Inc VAT
rounding: Rounding | Rounding adj. | Cash rounding
tip: Gratuity | Tip | Service charge | Service {percent}
total: TOTAL | Total | BALANCE DUE | TOTAL DUE | Amount due | GRAND TOTAL | Total to pay | BALANCE TO PAY | TOTAL SALE | Total incl. tax | AMOUNT | Bill total | Net total
saved: You saved | TOTAL SAVINGS | Savings today
items: Items | No. of items | Qty | ITEMS SOLD
cash: CASH | Cash tendered | Cash | Tendered
card: VISA | MASTERCARD | DEBIT | Credit card | Contactless | EFTPOS | AMEX | Card payment | Visa Debit
change: CHANGE | Change due | Change
other_date: Return by {day} | Points expire {day} | Offer valid until {day} | Best before {day} | Exchange until {day} | Printed {day}
points: Points earned {number} | Card no. ****{number} | Member {number} | Points balance {number}
thanks: Thank you for shopping with us | THANK YOU | Please come again | Have a nice day! | Thanks for your visit | Please retain for your records
note: Open 7 days 8am - 10pm | Tell us how we did: survey {number} | No refund without receipt | Refunds within 28 days | Follow us @{brand} | www.{brand}.example | Wi-Fi: {brand}{number} | Job vacancies: ask in store | Deposit {amount} per bottle | Part of the {brand} group
slip: AID A0000000{number} | Merchant {number} | APPROVED | Auth code {number} | PAN ************{number} | No cardholder verification | CUSTOMER COPY | SALE | Terminal {number} | Card amount {total}
shop: {last}'s Deli | {place} Hardware | The {brand} Inn | {brand} Supermarket | {last} & Sons | Café {brand} | {brand} Pharmacy | {place} Service Station | {brand} Grill | {last} Books | {brand} Pizza | {place} Garden Centre | The Corner Shop | {brand} Parking | {last} Dry Cleaners | {brand} | {brand} Express | Hotel {brand} | {last} Bros. | {place} Fish Bar | {brand} Tyres | {brand} Coffee Co.
goods: Whole milk 2L | Bananas loose | White bread | Free range eggs 12 | Cheddar 400g | Coffee beans | Kitchen roll | AA batteries | Wood screws 4x40 | Paint brush | Unleaded | Diesel | Paracetamol | Shampoo | Notebook A5 | Potting soil 40L | Cat food | Orange juice | Chicken thighs | Carrier bag | Greeting card | Light bulb LED | Masking tape | Cola 6pk | Red onions kg | Toothpaste | Sun cream | Phone charger | T-shirt M | Parking 2 h
meals: Flat white | Fish & chips | Cheeseburger | Caesar salad | Soup of the day | IPA pint | House red 175ml | Sparkling water | Ribeye 10oz | Cheesecake | Espresso | Kids pasta | Garlic bread | Latte | Club sandwich | Pad thai | Iced tea | Side fries
owner: Prop. {first} {last} | Proprietor: {first} {last} | prop. {first} & {first} {last} | {first} {last}, owner | Licensee: {first} {last} | Operator: {first} {last} | The {last} family | {first} {last}
registry: Company No. {number} | Registered in England No. {number} | ABN {number} | ACN {number} | CIN {number} | Reg. No {number} | UEN {number} | Lic. {number} | NZBN {number}
entry: Entry | ENTRY | In | Time in | Arrived | Start
exit: Exit | EXIT | Out | Time out | Departed | End | Paid until
fare: Parking fee | PARKING | Fare | Taxi fare | Car wash - deluxe | WASH PROGRAM 3 | Toll | TOLL CLASS 1 | Day ticket | Short stay | Metered fare
night: Room charge | Accommodation | Breakfast | City tax | Overnight stay | Parking per night | Resort fee
balance: Balance | BALANCE | Balance due | Amount outstanding | Outstanding
"""

_GERMAN = """
title: Kassenbon | RECHNUNG | Rechnung | Quittung | Beleg | Kundenbeleg | BON | Bewirtungsbeleg | Barverkauf | Verkaufsbeleg
date: Datum | Datum: | DATUM | Dat. | vom |
time: Uhrzeit | Zeit | Uhr |
number: Bon-Nr. | Beleg-Nr. | Rechnung Nr. | Bonnr | Re-Nr | Vorgang | Kassenbon Nr. | Belegnummer
cashier: Kassierer | Es bediente Sie | Bediener | Kellner | Bed. | Verkäufer | Sie wurden bedient von
register: Kasse | Kassen-Nr. | Terminal | Filiale | Markt | Pos
table: Tisch | Tisch Nr. | Gäste | Außer Haus | Im Haus | Zapfsäule
phone: Tel. | Telefon | Tel | Fon
tax_id: USt-IdNr. | UID Nr. | St.-Nr. | Steuernummer | ATU | MWST-Nr. | USt-ID
subtotal: Zwischensumme | ZW-SUMME | Summe | Netto | Warenwert
discount: Rabatt | Aktion | Coupon | Nachlass | Mitarbeiterrabatt | Preisvorteil | Treuerabatt
tax: MwSt {rate} | {rate} MwSt | USt. {rate} | inkl. MwSt {rate} | enthaltene MwSt. | A {rate} | MWST {rate} | Steuer
net: Netto | Nettobetrag | Entgelt
gross: Brutto | Bruttobetrag | Umsatz
rounding: Rundung | Rundungsdifferenz
tip: Trinkgeld | Tip
total: SUMME | Summe EUR | Gesamtbetrag | GESAMT | Zu zahlen | Total | Endbetrag | Rechnungsbetrag | TOTAL EUR | Betrag | Summe | Gesamtsumme | zu zahlender Betrag | Total CHF
saved: Sie haben gespart | Ersparnis | Preisvorteil gesamt
items: Artikel | Anzahl Artikel | Positionen | Posten
cash: BAR | Bar | gegeben | Gegeben EUR | Bargeld
card: girocard | EC-Karte | Kreditkarte | VISA | MASTERCARD | Kartenzahlung | Maestro | Kontaktlos | TWINT
change: Rückgeld | Zurück | RÜCKGELD BAR | Wechselgeld
other_date: Umtausch bis {day} | Gültig bis {day} | Punkte gültig bis {day} | Druck {day} | Haltbar bis {day}
points: Punkte {number} | Kundenkarte {number} | Bonuspunkte {number} | Kundennr. {number}
thanks: Vielen Dank für Ihren Einkauf! | Danke für Ihren Besuch | Auf Wiedersehen | Bis bald! | Wir danken für Ihren Besuch
note: Öffnungszeiten Mo-Sa 7-20 Uhr | Umtausch nur mit Bon | TSE-Signatur {number} | TSE Start {number} | www.{brand}.example | Angaben zum Nachweis der Bewirtung | Es gilt unsere Hausordnung | Pfand {amount} | WLAN {brand}{number} | Seriennr. Kasse {number} | Ein Unternehmen der {brand} Gruppe
slip: Terminal-ID {number} | TA-Nr. {number} | Genehmigungs-Nr. {number} | Zahlung erfolgt | ** K-U-N-D-E-N-B-E-L-E-G ** | Karte ############{number} | AID A0000000{number} | VU-Nr. {number} | Betrag {total}
shop: Bäckerei {last} | {brand} Markt | Gasthaus zum {brand} | Café {last} | {brand} Apotheke | Tankstelle {last} | {last} Feinkost | Baumarkt {brand} | Metzgerei {last} | {place}er Hof | Buchhandlung {last} | {brand} Drogerie | Restaurant {brand} | Blumen {last} | Hotel {place} | {brand} | Getränke {last} | {last} Moden | Imbiss {first} | Parkhaus {place} | Gärtnerei {last} | Reinigung {brand}
goods: Vollmilch 3,5% | Bananen lose | Roggenbrot 1kg | Eier 10 Stk | Gouda jung | Kaffee 500g | Küchenrolle | Batterien AA | Holzschrauben | Farbrolle | Super E10 | Diesel | Ibuprofen 400 | Shampoo | Schreibblock A4 | Blumenerde 40 l | Katzenfutter | Apfelsaft | Hähnchenbrust | Tragetasche | Grußkarte | LED-Lampe | Klebeband | Mineralwasser Kiste | Zwiebeln | Zahnpasta | Brezel | Laugenstange | Pfand | Parken 2 Std.
meals: Wiener Schnitzel | Pils 0,5l | Apfelschorle | Kaffee Crema | Espresso | Tagessuppe | Käsespätzle | Salat gemischt | Weißwein 0,2 | Apfelstrudel | Cappuccino | Rinderroulade | Pommes | Wasser still 0,7 | Pizza Salami | Flammkuchen | Radler | Röstbrot
owner: Inh. {first} {last} | Inhaber: {first} {last} | Inhaberin {first} {last} | Familie {last} | Fam. {last} | Betreiber: {first} {last} | Pächter {first} {last} | Wirt: {first} {last} | {first} und {first} {last} | {first} {last}
registry: HRB {number} | Amtsgericht {place} HRB {number} | HRA {number} | Registergericht {place} | FN {number} | Handelsregister HRB {number} | GISA {number} | FN {number} k, LG {place}
entry: Einfahrt | EIN | Einfahrt: | Beginn | Parkbeginn | Ankunft
exit: Ausfahrt | AUS | Ausfahrt: | Ende | Bezahlt bis | Abfahrt | Bezahlung
fare: Parkgebühr | Parkentgelt | Fahrpreis | Taxifahrt | Autowäsche Programm 3 | Maut | Tagesticket | Kurzparken | Waschprogramm | Beförderungsentgelt | PARKEN
night: Übernachtung | Logis | Frühstück | City tax | Kurtaxe | Ortstaxe | Zimmer | Tiefgarage
balance: Offen | Saldo | Offener Betrag | Restbetrag | Rechnungssaldo
"""

_FRENCH = """
title: TICKET | Ticket de caisse | FACTURE | Note | Reçu | TICKET CLIENT | Addition | Duplicata | VENTE | Facturette
date: Date | Date : | DATE | Le | le |
time: Heure | à | H |
number: Ticket n° | Facture n° | N° | Trans. | Note n° | Ticket | Pièce | No ticket
cashier: Caissier | Hôte(sse) de caisse | Vendeur | Serveur | Servi par | Vous avez été servi par | Op.
register: Caisse | Magasin | TPV | Terminal | Borne | Poste
table: Table | Couverts | Sur place | A emporter | Pompe | Salle
phone: Tél. | Tél | Téléphone | Tel :
tax_id: TVA intra | N° TVA | SIRET | TVA FR | N° TVA BE
subtotal: Sous-total | SOUS TOTAL | Total HT | Montant HT | Total brut
discount: Remise | Promo | Réduction | Avantage carte | Bon de réduction | Remise fidélité
tax: TVA {rate} | dont TVA {rate} | TVA | T.V.A. {rate} | Taxe {rate} | TVA à {rate}
net: HT | Net HT | Base HT
gross: TTC | Brut | Total TTC
rounding: Arrondi
tip: Pourboire | Service
total: TOTAL | Total TTC | NET A PAYER | Montant dû | A PAYER | TOTAL EUR | Total à payer | TOTAL GENERAL | Montant total | MONTANT REEL | Total du ticket | Solde
saved: Vous avez économisé | Total remises | Economies
items: Articles | Nb articles | Nombre d'articles | Qté
cash: ESPECES | Espèces | Reçu | Donné
card: CB | Carte bancaire | CARTE BLEUE | VISA | Sans contact | MASTERCARD | Bancontact | CB EMV
change: RENDU | Rendu monnaie | Monnaie rendue | A rendre
other_date: Échange jusqu'au {day} | Valable jusqu'au {day} | Points valables au {day} | Edité le {day} | Bon utilisable dès le {day}
points: Points cumulés {number} | Carte fidélité {number} | Client {number} | Cagnotte {amount}
thanks: Merci de votre visite | A bientôt | MERCI ET A BIENTOT | Merci de votre fidélité | Bonne journée
note: Ouvert du lundi au samedi 8h30-20h | Echange sous 30 jours | Prix service compris | www.{brand}.example | Conservez ce ticket | Wifi {brand}{number} | Consigne {amount} | RCS {number} | Logiciel certifié {number} | Groupe {brand}
slip: A0000000{number} | CARTE ************{number} | AUTO {number} | DEBIT | TICKET CLIENT A CONSERVER | N° commerçant {number} | MONTANT {total} | Paiement accepté | Term {number}
shop: Boulangerie {last} | Le {brand} | Café de {place} | Pharmacie {last} | Brasserie {brand} | {brand} Marché | Garage {last} | Chez {first} | Librairie {brand} | Tabac {place} | Station {place} | Hôtel {brand} | Fromagerie {last} | {brand} Bricolage | Fleurs {first} | Au {brand} d'Or | Pressing {last} | Crêperie {brand} | {brand} | Parking {place} | Boucherie {last} | Épicerie {first}
goods: Lait demi-écrémé | Bananes vrac | Baguette tradition | Œufs x12 | Comté 24 mois | Café moulu | Essuie-tout | Piles AA | Vis à bois | Pinceau | SP95-E10 | Gazole | Paracétamol | Shampooing | Cahier A5 | Terreau 40L | Croquettes chat | Jus d'orange | Filet de poulet | Sac caisse | Carte postale | Ampoule LED | Ruban adhésif | Eau minérale 6x1,5 | Oignons | Dentifrice | Croissant | Pain au chocolat | Timbres | Stationnement 2h
meals: Menu du jour | Entrecôte frites | Salade niçoise | Café | Demi pression | Verre de rouge | Carafe d'eau | Crème brûlée | Moules frites | Croque-monsieur | Soupe à l'oignon | Expresso | Perrier | Tarte aux pommes | Galette complète | Cidre | Kir | Menu enfant
owner: M. {first} {last} | Chez {first} {last} | Famille {last} | {first} {last}, artisan | Gérant : {first} {last} | Propriétaire : {first} {last} | Exploitant : {first} {last} | Mme {last} | {first} {last}
registry: RCS {place} {number} | RCS {number} | R.C.S. {place} B {number} | SIREN {number} | NAF {number} | APE {number}Z | SAS au capital de {number} EUR | RPM {place} {number}
entry: Entrée | ENTREE | Entrée : | Début | Arrivée
exit: Sortie | SORTIE | Sortie : | Fin | Départ | Payé jusqu'à
fare: Stationnement | PARKING | Redevance stationnement | Prix de la course | Course taxi | Lavage programme 3 | Péage | PEAGE CLASSE 1 | Forfait jour | Lavage auto
night: Nuitée | Hébergement | Petit déjeuner | Taxe de séjour | Chambre | Parking hôtel
balance: Solde | SOLDE DU | Reste à payer | Solde restant
"""

_SPANISH = """
title: FACTURA SIMPLIFICADA | Factura simplificada | TICKET | Ticket de compra | RECIBO | Nota | TICKET DE VENTA | Copia cliente | Cuenta
date: Fecha | FECHA | Fecha: | Fecha y hora | F. |
time: Hora | HORA |
number: Nº | Ticket | Factura | Nº ticket | Folio | Op. | Núm. operación | Nº Factura
cashier: Cajero | Le atendió | Atendido por | Camarero | Vendedor | Cajera | Dependiente
register: Caja | Tienda | TPV | Terminal | Sucursal | Puesto
table: Mesa | Comensales | Para llevar | Surtidor | Barra | Sala
phone: Tel. | Tfno. | Teléfono | Tlf.
tax_id: NIF | CIF | RFC | N.I.F. | C.I.F.
subtotal: Subtotal | SUBTOTAL | Base | Importe | Suma
discount: Descuento | Dto. | Promoción | Cupón | Ahorro tarjeta | Oferta
tax: IVA {rate} | IVA | I.V.A. {rate} | Cuota IVA {rate} | IVA incl. | Impuesto {rate}
net: Base imponible | Base | Neto
gross: Total | Bruto | Importe
rounding: Redondeo
tip: Propina | Servicio
total: TOTAL | Total | TOTAL A PAGAR | Total € | Importe total | TOTAL EUR | Total a pagar | Total compra | TOTAL FACTURA | Total con IVA | A PAGAR
saved: Ha ahorrado | Total ahorro | Usted ahorró
items: Artículos | Nº artículos | Art. | Unidades
cash: EFECTIVO | Efectivo | Entregado | Recibido | Pago
card: TARJETA | Tarjeta bancaria | VISA | MASTERCARD | Tarj. crédito | Tarjeta de débito
change: CAMBIO | Cambio | Devolución | Su cambio
other_date: Devoluciones hasta {day} | Válido hasta {day} | Puntos caducan {day} | Impreso {day}
points: Puntos {number} | Socio {number} | Tarjeta cliente {number} | Saldo puntos {number}
thanks: GRACIAS POR SU VISITA | Gracias por su compra | Vuelva pronto | ¡Gracias! | Hasta pronto
note: IVA INCLUIDO | Abierto de 9 a 21 h | Conserve su ticket | www.{brand}.example | No se admiten devoluciones sin ticket | WiFi {brand}{number} | Envase {amount} | Facture en línea con el folio {number} | Grupo {brand}
slip: AID A0000000{number} | Aut. {number} | Tarjeta ************{number} | Comercio {number} | OPERACION ACEPTADA | Copia para el cliente | Importe {total} | Contactless | Terminal {number}
shop: Panadería {last} | Bar {brand} | Supermercado {brand} | Farmacia {last} | Cafetería {place} | Ferretería {last} | Restaurante {brand} | Casa {first} | Librería {brand} | Gasolinera {place} | Hotel {brand} | Frutería {first} | Mesón {last} | {brand} | Tienda {brand} | Papelería {last} | Mercado {place} | Tacos {first} | Abarrotes {last} | Parking {place} | Bodega {last} | Floristería {first}
goods: Leche entera 1L | Plátanos | Barra de pan | Huevos L 12 | Queso manchego | Café molido | Papel cocina | Pilas AA | Tornillos | Brocha | Gasolina 95 | Gasóleo A | Ibuprofeno | Champú | Cuaderno A5 | Sustrato 40L | Pienso gato | Zumo naranja | Pechuga pollo | Bolsa | Tarjeta regalo | Bombilla LED | Cinta adhesiva | Agua 6x1,5 | Cebollas | Dentífrico | Magdalenas | Jamón serrano | Aceite oliva 1L | Aparcamiento 2h
meals: Menú del día | Tortilla española | Caña | Café con leche | Ensalada mixta | Vino tinto copa | Agua mineral | Pulpo a la gallega | Croquetas | Flan casero | Paella | Bocadillo jamón | Cortado | Refresco | Tacos al pastor | Gazpacho | Tostada | Patatas bravas
owner: Titular: {first} {last} | de {first} {last} | Propietario: {first} {last} | Familia {last} | Prop. {first} {last} | Gerente: {first} {last} | {first} {last} {last} | {first} {last}
registry: Reg. Mercantil {place} T. {number} | R.M. {place} {number} | Reg. Merc. {number} | Giro: {number} | Régimen fiscal {number} | Matrícula {number} | Res. DIAN {number} | Inscrita R.M. {place}
entry: Entrada | ENTRADA | Hora entrada | Inicio | Ingreso
exit: Salida | SALIDA | Hora salida | Fin | Egreso | Pagado hasta
fare: Estacionamiento | PARKING | Tarifa | Carrera taxi | Servicio de taxi | Lavado programa 3 | Peaje | PEAJE CAT. 1 | Tarifa día | Estancia aparcamiento
night: Habitación | Alojamiento | Desayuno | Tasa turística | Noche | Garaje hotel
balance: Saldo | SALDO | Saldo pendiente | Pendiente
"""

_ITALIAN = """
title: DOCUMENTO COMMERCIALE | Documento commerciale di vendita o prestazione | SCONTRINO | Ricevuta | RICEVUTA FISCALE | Conto | Copia cliente | Scontrino non fiscale | Fattura
date: Data | DATA | Data: | Del | il |
time: Ora | ORE | ore |
number: DOC. N. | Documento n. | Scontrino n. | N. | Ricevuta n. | SCONTR. N | Doc
cashier: Cassiere | Operatore | Servito da | Cameriere | Cassiera | OP
register: Cassa | RT | Negozio | Postazione | Terminale | Punto vendita
table: Tavolo | Coperti | Asporto | Pompa | Sala | Banco
phone: Tel. | Telefono | Tel
tax_id: P.IVA | P. IVA | Partita IVA | C.F. | P.I.
subtotal: SUBTOTALE | Subtotale | Totale merce | Imponibile | Parziale
discount: SCONTO | Sconto | Promozione | Buono | Sconto fedeltà | Omaggio
tax: di cui IVA | IVA {rate} | DI CUI IVA | Imposta {rate} | IVA | Totale IVA
net: Imponibile | Netto
gross: Lordo | Totale | Importo
rounding: Arrotondamento
tip: Mancia | Servizio
total: TOTALE COMPLESSIVO | TOTALE | Totale complessivo | TOTALE EURO | Totale | IMPORTO TOTALE | Totale da pagare | TOTALE EUR | Totale conto | Da pagare | Importo pagato
saved: Hai risparmiato | Totale sconti | Risparmio
items: Articoli | N. pezzi | Pezzi | Numero articoli
cash: CONTANTE | Contanti | Pagamento contante | Ricevuto
card: PAGAMENTO ELETTRONICO | Pagamento elettronico | Bancomat | Carta di credito | VISA | Carta | PagoBancomat
change: RESTO | Resto | Resto contante
other_date: Reso entro il {day} | Valido fino al {day} | Punti validi fino al {day} | Stampato il {day}
points: Punti {number} | Carta fedeltà {number} | Saldo punti {number} | Socio {number}
thanks: GRAZIE E ARRIVEDERCI | Grazie per la visita | Arrivederci | Grazie! | Buona giornata
note: Aperto dalle 8 alle 20 | Cambio merce entro 8 giorni | www.{brand}.example | Matricola RT {number} | Lotteria {number} | Wi-Fi {brand}{number} | Coperto {amount} | Gruppo {brand} | Conservare lo scontrino
slip: AID A0000000{number} | Aut. {number} | PAN ************{number} | Esercente {number} | TRANSAZIONE ESEGUITA | Importo {total} | Copia cliente | TML {number} | STAN {number}
shop: Panificio {last} | Bar {brand} | Trattoria da {first} | Farmacia {last} | Supermercato {brand} | Ristorante {brand} | Ferramenta {last} | Pizzeria {brand} | Alimentari {last} | Libreria {brand} | Stazione di servizio {place} | Albergo {place} | Caffè {last} | Macelleria {last} | Profumeria {brand} | {brand} | Osteria {brand} | Gelateria {first} | Tabaccheria {last} | Cartoleria {brand} | Emporio {place} | Lavanderia {brand}
goods: Latte intero 1L | Banane | Pane casereccio | Uova x6 | Parmigiano 24m | Caffè macinato | Carta cucina | Pile AA | Viti legno | Pennello | Benzina | Gasolio | Ibuprofene | Shampoo | Quaderno A5 | Terriccio 40L | Croccantini | Succo arancia | Petto pollo | Shopper | Biglietto auguri | Lampadina LED | Nastro adesivo | Acqua 6x1,5 | Cipolle | Dentifricio | Reparto 1 | Reparto 2 | Prosciutto crudo | Parcheggio 2h
meals: Coperto | Spaghetti vongole | Margherita | Caffè | Acqua naturale | Vino casa 1/2 | Tiramisù | Insalata mista | Bistecca | Lasagne | Cappuccino | Cornetto | Birra media | Risotto porcini | Spritz | Panino | Antipasto misto | Grappa
owner: di {first} {last} | di {last} {first} | Titolare: {first} {last} | Prop. {first} {last} | Famiglia {last} | Gestione {first} {last} | F.lli {last} | Gestore: {first} {last} | {first} {last}
registry: REA {number} | R.E.A. {place} {number} | Reg. Imprese {place} {number} | C.C.I.A.A. {place} {number} | Cap. Soc. EUR {number} i.v. | Cod. dest. {number}
entry: Entrata | ENTRATA | Ingresso | Inizio sosta | Arrivo
exit: Uscita | USCITA | Fine sosta | Partenza | Pagato fino a
fare: Sosta | PARCHEGGIO | Tariffa sosta | Corsa taxi | Servizio taxi | Lavaggio programma 3 | Pedaggio | PEDAGGIO CL. A | Tariffa giornaliera | Lavaggio auto
night: Pernottamento | Camera | Colazione | Tassa di soggiorno | Imposta di soggiorno | Garage
balance: Saldo | SALDO | Residuo | Importo residuo | Da saldare
"""

_DUTCH = """
title: KASSABON | Kassabon | BON | Factuur | Kwitantie | Klantbon | Rekening | Aankoopbewijs | KLANTTICKET
date: Datum | DATUM | Datum: | d.d. |
time: Tijd | TIJD | Tijdstip |
number: Bonnr. | Bonnummer | Transactie | Factuurnr. | Bon | Nr. | Kassabon nr. | Volgnr.
cashier: Kassier | U bent geholpen door | Medewerker | Bediening | Verkoper | Kassière
register: Kassa | Filiaal | Terminal | Winkel | POS | Kassanr.
table: Tafel | Gasten | Afhalen | Pomp | Personen | Terras
phone: Tel. | Telefoon | T: | Tel
tax_id: BTW-nr. | BTW nummer | BTW BE | KvK | BTW-id
subtotal: Subtotaal | SUBTOTAAL | Tussentotaal | Totaal excl. | Bedrag excl. btw
discount: Korting | Bonus | Actie | Uw voordeel | Actiekorting | Kortingsbon
tax: BTW {rate} | btw {rate} | BTW laag {rate} | BTW hoog {rate} | waarvan BTW | BTW
net: Excl. | Netto | Over
gross: Incl. | Bruto | Totaal
rounding: Afronding | Afrondingsverschil
tip: Fooi | Service
total: TOTAAL | Totaal | Te betalen | TE BETALEN | Totaal EUR | Eindtotaal | Totaalbedrag | Totaal incl. btw | TOTAAL EURO | Bedrag | Totaal te voldoen
saved: Uw voordeel | U bespaarde | Totaal korting
items: Artikelen | Aantal artikelen | Aantal | Stuks
cash: CONTANT | Contant | Ontvangen | Gegeven
card: PIN | Pinpas | Bankpas | V PAY | MAESTRO | Creditcard | Contactloos | Bancontact
change: WISSELGELD | Wisselgeld | Terug | Retour
other_date: Ruilen tot {day} | Geldig t/m {day} | Punten geldig tot {day} | Afgedrukt {day}
points: Spaarpunten {number} | Klantenkaart {number} | Zegels {number} | Klantnr. {number}
thanks: Bedankt en tot ziens | Dank voor uw bezoek | Tot ziens! | Graag tot ziens | Bedankt voor uw aankoop
note: Geopend ma-za 8-21 uur | Ruilen binnen 14 dagen met bon | www.{brand}.example | Bewaar deze bon | Wifi {brand}{number} | Statiegeld {amount} | Onderdeel van {brand} groep | Vragen? bel {number}
slip: AID A0000000{number} | Aut. code {number} | Kaart xxxxxxxxxxxx{number} | Merchant {number} | AKKOORD | Klantticket | Totaal {total} | Terminal {number} | Betaling gelukt
shop: Bakkerij {last} | {brand} Markt | Café {brand} | Apotheek {place} | Eetcafé {first} | Slagerij {last} | Bouwmarkt {brand} | Boekhandel {last} | Tankstation {place} | Hotel {brand} | Bloemen {first} | Drogisterij {brand} | Restaurant {brand} | Kaashuis {last} | {brand} | Snackbar {first} | Fietsen {last} | Stomerij {brand} | Brasserie {place} | Parkeergarage {place} | Visboer {last} | Lunchroom {first}
goods: Halfvolle melk | Bananen | Volkoren brood | Eieren 10 st | Jonge kaas | Koffie snelfilter | Keukenrol | Batterijen AA | Schroeven | Verfkwast | Euro 95 | Diesel | Paracetamol | Shampoo | Schrift A5 | Potgrond 40L | Kattenvoer | Sinaasappelsap | Kipfilet | Draagtas | Wenskaart | Ledlamp | Plakband | Spa rood 6x1,5 | Uien | Tandpasta | Stroopwafels | Hagelslag | Statiegeld | Parkeren 2 uur
meals: Koffie verkeerd | Pils | Kroket brood | Uitsmijter | Tomatensoep | Rode wijn glas | Appelgebak | Bitterballen | Spa blauw | Saté frites | Tosti | Cappuccino | Clubsandwich | Verse jus | Pannenkoek | Biefstuk | Friet | Thee
owner: Eigenaar: {first} {last} | Fam. {last} | Familie {last} | t.n.v. {first} {last} | Uitbater: {first} {last} | Zaakvoerder {first} {last} | Exploitant: {first} {last} | Gebr. {last} | {first} {last}
registry: KvK {number} | K.v.K. {place} {number} | KvK-nr. {number} | RPR {place} {number} | Ondernemingsnr. {number} | Handelsregister {number}
entry: Inrijden | IN | Inrit | Aankomst | Begin
exit: Uitrijden | UIT | Uitrit | Vertrek | Einde | Betaald tot
fare: Parkeren | PARKEERGELD | Parkeertarief | Ritprijs | Taxirit | Wasprogramma 3 | Tol | Dagkaart | Autowassen | Kort parkeren
night: Overnachting | Logies | Ontbijt | Toeristenbelasting | Kamer | Stadsbelasting
balance: Saldo | Openstaand | Nog te betalen | Restant
"""

_POLISH = """
title: PARAGON FISKALNY | Paragon fiskalny | PARAGON | Rachunek | FAKTURA | Potwierdzenie | Kopia klienta | Niefiskalny
date: Data | DATA | Data sprzedaży | dn. |
time: Godz. | Godzina | g. |
number: Nr | Paragon nr | Nr wydruku | Nr sys. | Faktura nr | Nr transakcji | #
cashier: Kasjer | Obsługa | Kelner | Sprzedawca | Kasjer nr | Obsługiwał(a)
register: Kasa | Stanowisko | Sklep nr | Terminal | Nr kasy
table: Stolik | Osób | Na wynos | Dystrybutor | Sala
phone: tel. | Tel | Telefon
tax_id: NIP | NIP: | NIP PL
subtotal: Podsuma | Suma częściowa | Wartość | Sprzed. opod. PTU A
discount: RABAT | Rabat | Opust | Promocja | Kupon
tax: PTU A {rate} | Kwota A {rate} | SUMA PTU | PTU {rate} | VAT {rate} | Podatek
net: Netto | Sp. op. A
gross: Brutto | Wartość
rounding: Zaokrąglenie
tip: Napiwek | Serwis
total: SUMA PLN | SUMA: PLN | Suma PLN | RAZEM | DO ZAPŁATY | Do zapłaty | Razem do zapłaty | SUMA | Suma | Razem PLN
saved: Oszczędzasz | Suma rabatów | Łączna kwota rabatów
items: Pozycji | Liczba pozycji | Ilość
cash: GOTÓWKA | Gotówka | Gotówka PLN | Wpłata
card: KARTA | Karta płatnicza | KARTA: VISA | Karta | BLIK | Zbliżeniowo
change: RESZTA | Reszta | Reszta PLN | Do wydania
other_date: Zwrot do {day} | Ważny do {day} | Punkty ważne do {day} | Wydruk {day}
points: Punkty {number} | Karta klienta {number} | Saldo {number} | Nr karty {number}
thanks: DZIĘKUJEMY | Zapraszamy ponownie | Dziękujemy za zakupy | Do zobaczenia | Miłego dnia
note: Czynne pn-sb 6-22 | Zwrot z paragonem w 30 dni | www.{brand}.example | Numer unikatowy {number} | Wi-Fi {brand}{number} | Kaucja {amount} | Grupa {brand} | BDO {number}
slip: AID A0000000{number} | Kod aut. {number} | Karta ************{number} | POS ID {number} | TRANSAKCJA ZATWIERDZONA | Kwota {total} | Kopia klienta | MID {number}
shop: Piekarnia {last} | Sklep spożywczy {brand} | Apteka {brand} | Restauracja {brand} | Kawiarnia {first} | Stacja paliw {place} | Księgarnia {brand} | Market {brand} | Bar {brand} | Hotel {place} | Kwiaciarnia {first} | {brand} | Pizzeria {brand} | Cukiernia {last} | Delikatesy {brand} | Żelazny {last} | Drogeria {brand} | Karczma {brand} | Parking {place} | Zakład {last} | Sklep {first} | Bistro {brand}
goods: Mleko 3,2% | Banany | Chleb żytni | Jaja 10 szt | Ser gouda | Kawa mielona | Ręcznik papier. | Baterie AA | Wkręty | Pędzel | Benzyna 95 | Olej napędowy | Ibuprofen | Szampon | Zeszyt A5 | Ziemia 40L | Karma kot | Sok pomarańcz. | Filet z kurczaka | Reklamówka | Kartka | Żarówka LED | Taśma klejąca | Woda 6x1,5 | Cebula | Pasta do zębów | Bułka kajzerka | Kiełbasa śląska | Masło extra | Parking 2h
meals: Żurek | Pierogi ruskie | Kotlet schabowy | Piwo 0,5 | Kawa czarna | Herbata | Sernik | Sałatka grecka | Woda mineralna | Rosół | Placki ziemn. | Lemoniada | Szarlotka | Bigos | Pizza capricciosa | Frytki | Espresso | Naleśniki
owner: właśc. {first} {last} | Właściciel: {first} {last} | prow. {first} {last} | Prowadzący: {first} {last} | Pani {first} {last} | Najemca: {first} {last} | Rodzina {last} | {first} {last}
registry: REGON {number} | KRS {number} | BDO {number} | Nr rej. BDO {number} | Sąd Rej. {place} KRS {number} | ZAW{number}
entry: Wjazd | WJAZD | Czas wjazdu | Początek | Przyjazd
exit: Wyjazd | WYJAZD | Czas wyjazdu | Koniec | Opłacono do
fare: Opłata parkingowa | PARKOWANIE | Usługa przewozu osób | Przejazd taxi | Myjnia program 3 | Przejazd autostradą | Opłata za przejazd | Bilet dzienny | Parking
night: Nocleg | Usługa noclegowa | Śniadanie | Opłata miejscowa | Pokój | Parking hotelowy
balance: Saldo | SALDO | Pozostało do zapłaty | Do dopłaty
"""

_PORTUGUESE = """
title: DANFE NFC-e | Documento Auxiliar da Nota Fiscal de Consumidor Eletrônica | FATURA SIMPLIFICADA | Fatura simplificada | FATURA-RECIBO | Talão | RECIBO | Fatura | CUPOM FISCAL | Nota | Original | Consulta de mesa
date: Data | DATA | Data: | Em | Data de emissão |
time: Hora | HORA | às |
number: FS n.º | Fatura n.º | Nº | FR | Talão | Doc. n.º | Fatura Simplificada | Extrato
cashier: Operador | Empregado | Atendido por | Caixa | Vendedor | Funcionário
register: Caixa | Loja | Terminal | POS | Posto
table: Mesa | Pessoas | Take-away | Bomba | Sala
phone: Tel. | Telef. | Telefone | Tel
tax_id: NIF | Contribuinte n.º | NIPC | CNPJ | Nº contribuinte
subtotal: Subtotal | SUBTOTAL | Sub-total | Total ilíquido | Valor
discount: Desconto | DESCONTO | Promoção | Cupão | Desconto cartão | Poupança imediata
tax: IVA {rate} | IVA | Total IVA | Taxa {rate} | IVA incluído | Imposto {rate}
net: Base | Incidência | Valor s/ IVA
gross: Total | Valor c/ IVA | Bruto
rounding: Arredondamento
tip: Gorjeta | Serviço
total: TOTAL | Total | TOTAL A PAGAR | Total a pagar | Total EUR | VALOR TOTAL | TOTAL (EUR) | Total do documento | A pagar | TOTAL R$ | Valor a pagar
saved: Poupou | Total poupança | Total descontos
items: Artigos | N.º artigos | Qtd. total | Itens
cash: NUMERÁRIO | Numerário | Dinheiro | DINHEIRO | Entregue
card: MULTIBANCO | Multibanco | Cartão | VISA | Cartão de débito | MB WAY | Cartão de crédito
change: TROCO | Troco | Devolução
other_date: Trocas até {day} | Válido até {day} | Pontos válidos até {day} | Impresso em {day}
points: Pontos {number} | Cartão cliente {number} | Saldo {number} | Cliente {number}
thanks: OBRIGADO PELA VISITA | Obrigado e volte sempre | Obrigado! | Volte sempre | Bom dia
note: IVA incluído à taxa em vigor | Aberto das 9h às 22h | www.{brand}.example | ATCUD {number} | Processado por programa certificado n.º {number} | Wi-Fi {brand}{number} | Depósito {amount} | Grupo {brand} | Guarde o seu talão
slip: AID A0000000{number} | Aut {number} | Cartão ************{number} | Comerciante {number} | OPERAÇÃO ACEITE | Montante {total} | Cópia cliente | Id. est. {number}
shop: Padaria {last} | Pastelaria {brand} | Café {place} | Farmácia {last} | Supermercado {brand} | Restaurante {brand} | Talho {last} | Mercearia {first} | Livraria {brand} | Posto {place} | Hotel {brand} | Churrasqueira {place} | Adega {last} | Papelaria {brand} | {brand} | Tasca do {first} | Ferragens {last} | Florista {first} | Snack-bar {brand} | Lanchonete {brand} | Drogaria {last} | Parque {place}
goods: Leite meio gordo | Bananas | Pão de mistura | Ovos 12 | Queijo flamengo | Café moído | Papel cozinha | Pilhas AA | Parafusos | Pincel | Gasolina 95 | Gasóleo | Ibuprofeno | Champô | Caderno A5 | Substrato 40L | Ração gato | Sumo laranja | Peito frango | Saco | Postal | Lâmpada LED | Fita-cola | Água 6x1,5 | Cebolas | Pasta dentes | Arroz agulha | Azeite 0,75L | Bacalhau | Estacionamento 2h
meals: Prato do dia | Bacalhau à Brás | Imperial | Café | Bica | Água 0,5 | Sopa | Vinho casa | Pastel de nata | Bitoque | Salada | Galão | Francesinha | Mousse | Frango assado | Tosta mista | Sumol | Couvert
owner: de {first} {last} | Propr. {first} {last} | Proprietário: {first} {last} | Gerência: {first} {last} | Família {last} | Titular: {first} {last} | {first} {last}
registry: C.R.C. {place} {number} | Matr. C.R.C. {number} | IE {number} | INSC. EST. {number} | IM {number} | Inscrição Estadual {number} | Alvará {number} | Cap. Social {number} EUR
entry: Entrada | ENTRADA | Hora de entrada | Início | Chegada
exit: Saída | SAÍDA | Hora de saída | Fim | Partida | Pago até
fare: Estacionamento | PARQUEAMENTO | Tarifa | Corrida | Serviço de táxi | Lavagem programa 3 | Portagem | PEDÁGIO | Diária estacionamento | Estadia
night: Alojamento | Diária | Pequeno-almoço | Taxa turística | Quarto | Hospedagem
balance: Saldo | SALDO | Em dívida | Valor em aberto | Saldo devedor
"""

WESTERN = {
    language: split_lines(text)
    for language, text in (
        ("de", _GERMAN),
        ("en", _ENGLISH),
        ("es", _SPANISH),
        ("fr", _FRENCH),
        ("it", _ITALIAN),
        ("nl", _DUTCH),
        ("pl", _POLISH),
        ("pt", _PORTUGUESE),
    )
}
