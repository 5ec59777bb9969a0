"""Italian."""

from training.invent.invoices.words.base import words

ITALIAN = words(
    captions="""
title: Fattura | FATTURA | Fattura di vendita | Fattura accompagnatoria | Parcella
credit_title: Nota di credito | NOTA DI CREDITO | Nota di accredito
number: Fattura n. | Numero fattura | N. fattura | Numero | N. documento | Fattura nr. | Nr. | Numero documento
date: Data | Data fattura | Del | Data documento | Data di emissione
due: Scadenza | Data di scadenza | Scadenza pagamento | Pagare entro il | Entro il
order: Ordine n. | Vs. ordine | Rif. ordine | Numero ordine | Ordine d'acquisto
customer_id: Codice cliente | Cod. cliente | N. cliente | Cliente n.
delivery: Data di consegna | Data prestazione | Consegnato il
period: Periodo | Periodo di fatturazione | Periodo di riferimento
vendor_tax: P. IVA | Partita IVA | P.IVA | Part. IVA
customer_tax: P. IVA cliente | Vs. P. IVA | Partita IVA cliente
bill_to: Destinatario | Cliente | Spett.le | Intestatario | Fatturare a
ship_to: Destinazione merce | Luogo di consegna | Consegna a
contact: Referente | Contatto | Agente | Vs. riferimento
pos: N. | Pos. | Riga | #
code: Codice | Cod. articolo | Cod. | Articolo
description: Descrizione | Descrizione articolo | Prestazione | Descrizione beni o servizi
quantity: Quantità | Q.tà | Qtà | Q.ta
unit: U.M. | UM | Unità
price: Prezzo unitario | Prezzo | Prezzo unit. | P. unitario
discount: Sconto | Sc. % | Sconto %
rate: IVA | % IVA | Aliq. | Aliquota | C. IVA
amount: Importo | Totale | Importo netto | Prezzo totale
subtotal: Imponibile | Totale imponibile | Totale netto | Totale merce | Subtotale
total_discount: Sconto | Sconto incondizionato | Sconto totale
tax: IVA | IVA {rate} | Imposta | Totale IVA | Totale imposta
total_tax: Totale IVA | Imposta | Totale imposta
total: Totale fattura | Totale documento | TOTALE | Totale | Importo totale | Totale da fatturare
prepaid: Acconto | Acconto versato | Già pagato
amount_due: Totale da pagare | Netto a pagare | Saldo | Da pagare | Importo dovuto
carried: A riportare | Riporto | Totale a riportare
base: Imponibile | Netto | Base
iban: IBAN | Coordinate IBAN | c/c IBAN
bic: BIC | SWIFT
bank: Banca | Coordinate bancarie | Banca d'appoggio
page: Pagina {page} di {pages} | Pag. {page}/{pages} | Pag. {page}
phone: Tel. | Telefono | T.
register: REA | Registro imprese | Cap. soc.
reference: Ns. rif. | Preventivo n. | Commessa | Contratto | DDT n.
strange: DDT n. | Data ordine | Rif. interno | Agente | Commessa | Codice fornitore | Vettore | Cod. destinatario | Cantiere | N. contratto | Matricola contatore | Porto
""",
    sentences="""
intro: Vi fatturiamo quanto segue: | Per le prestazioni eseguite: | Grazie per il Vostro ordine. Dettaglio: | Gentile cliente, ecco il dettaglio.
numbered: Fattura n. {number} del {date} | Fattura {number} emessa il {date} | Fattura nr. {number} in data {date}
terms: Pagamento a {days} giorni. | Bonifico bancario {days} gg data fattura | Condizioni: {days} giorni netto. | Da saldare entro {days} giorni.
discount_terms: Sconto {percent} per pagamento entro {days} giorni. | {percent} a {days} gg
due_on: Pagamento entro il {due}. | Scadenza il {due}. | Da versare entro il {due}.
thanks: Grazie per averci scelto. | Cordiali saluti | Vi ringraziamo per la fiducia.
exempt: Operazione esente IVA art. 10. | Inversione contabile. | Non imponibile art. 41.
credit: A storno della fattura {reference}. | Nota di credito riferita alla fattura {reference}.
total_sentence: L'importo totale è di {total}. | Vi preghiamo di versare {total} sul nostro conto.
note: La merce resta di proprietà del venditore fino al saldo. | Contributo CONAI assolto ove dovuto. | Trasporto franco destino. | DDT {code}, 12 colli, 148 kg | Orario lun-ven 8:30-17:00
""",
    articles="""
pz 2 60: Cavo USB 2 m | Penna a sfera blu, conf. da 50 | Vite M8x40 | Lampadina LED E27 9 W | Guanti da lavoro tg. L | Maniglia in acciaio | Carta A4 80 g | Toner nero | Prolunga 5 m | Cassetta pronto soccorso | Tazza stampata | Sacco terriccio 40 l
pz 80 2400: Sedia da ufficio | Stampante laser | Notebook 14" | Scrivania regolabile | Trapano a batteria 18 V | Switch di rete 24 porte | Pompa acqua | Schedario | Telecamera | Radiatore in acciaio | Lavabo con rubinetteria
ore fine 25 140: Consulenza | Sviluppo software | Installazione | Direzione lavori | Progetto grafico | Lavori elettrici | Assistenza tecnica | Traduzione | Manodopera imbianchino
kg fine 1 24: Caffè in grani arabica | Farina tipo 00 | Filo di rame | Mele categoria I | Parmigiano 24 mesi
mese 9 420: Hosting web | Licenza software | Pulizia uffici | Contratto di manutenzione | Affitto box | Linea internet fibra
giorno 150 1250: Corso in azienda | Noleggio gru con operatore | Formazione | Noleggio auto
corpo 15 900: Spese di spedizione | Spese di trasferta | Avviamento impianto | Smaltimento | Supplemento urgenza
""",
    details="colore antracite | taglia XL | matricola 4471-B | come da Vs. richiesta | garanzia 2 anni | fissaggi inclusi | settimana 23 | per la sede Nord | lotto 2207-11",
    sections="Materiali | Manodopera | Edificio A | Piano terra | Canoni | Una tantum | Ordine del 12 maggio",
)
