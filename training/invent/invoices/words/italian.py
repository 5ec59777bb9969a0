"""Italian."""

from training.invent.invoices.words.base import words

ITALIAN = words(
    captions="""
title: Fattura | FATTURA | Fattura di vendita | Fattura accompagnatoria | Parcella | Fattura immediata | La tua bolletta | Fattura differita
credit_title: Nota di credito | NOTA DI CREDITO | Nota di accredito
number: Fattura n. | Numero fattura | N. fattura | Numero | N. documento | Fattura nr. | Nr. | Numero documento | N. | Nr. fattura | Num. doc. | Fattura # | Doc. n. | Rif. | Riferimento | Parcella n. | Ricevuta n. | Bolletta n. | Prot. | Nota n. | Pratica n. | Conto n.
date: Data | Data fattura | Del | Data documento | Data di emissione | Data emissione | Emessa il | Data doc.
due: Scadenza | Data di scadenza | Scadenza pagamento | Pagare entro il | Entro il | Da pagare entro | Scade il | Data scadenza | Pagamento entro | Addebito il
order: Ordine n. | Vs. ordine | Rif. ordine | Numero ordine | Ordine d'acquisto | Nr. ordine | Vs. rif.
customer_id: Codice cliente | Cod. cliente | N. cliente | Cliente n.
delivery: Data di consegna | Data prestazione | Consegnato il | Data consegna | Data DDT
period: Periodo | Periodo di fatturazione | Periodo di riferimento | Consumi dal
vendor_tax: P. IVA | Partita IVA | P.IVA | Part. IVA | C.F./P.IVA | IVA
customer_tax: P. IVA cliente | Vs. P. IVA | Partita IVA cliente | Vs. P.IVA
bill_to: Destinatario | Cliente | Spett.le | Intestatario | Fatturare a | Cessionario | Intestata a | Committente
ship_to: Destinazione merce | Luogo di consegna | Consegna a | Spedire a | Indirizzo di fornitura
contact: Referente | Contatto | Agente | Vs. riferimento
pos: N. | Pos. | Riga | #
code: Codice | Cod. articolo | Cod. | Articolo
description: Descrizione | Descrizione articolo | Prestazione | Descrizione beni o servizi | Articolo | Prodotto | Dettaglio | Servizio
quantity: Quantità | Q.tà | Qtà | Q.ta | Ore | Pezzi | Q.
unit: U.M. | UM | Unità
price: Prezzo unitario | Prezzo | Prezzo unit. | P. unitario | Prezzo netto | Prezzo un. | Tariffa
discount: Sconto | Sc. % | Sconto %
rate: IVA | % IVA | Aliq. | Aliquota | C. IVA
amount: Importo | Totale | Importo netto | Prezzo totale | Tot. | Valore
subtotal: Imponibile | Totale imponibile | Totale netto | Totale merce | Subtotale | Netto | Importo netto
total_discount: Sconto | Sconto incondizionato | Sconto totale
tax: IVA | IVA {rate} | Imposta | Totale IVA | Totale imposta | I.V.A. {rate} | IVA ({rate}) | {rate} IVA
total_tax: Totale IVA | Imposta | Totale imposta | Imposta totale | IVA | Totale imposte
tax_within: di cui IVA {rate} | IVA inclusa | di cui IVA | IVA compresa {rate}
trading: {brand} è un marchio di {name} | {brand}, insegna di {name} | Ragione sociale: {name} | Emessa da {name} | {brand} è gestito da {name}
regards: Cordiali saluti | Distinti saluti | Firma | La direzione | Un cordiale saluto
total: Totale fattura | Totale documento | TOTALE | Totale | Importo totale | Totale da fatturare | Totale da pagare | Totale generale | Netto a pagare
prepaid: Acconto | Acconto versato | Già pagato | Anticipo | Acconti versati
amount_due: Totale da pagare | Netto a pagare | Saldo | Da pagare | Importo dovuto | Residuo | Saldo dovuto
carried: A riportare | Riporto | Totale a riportare
base: Imponibile | Netto | Base
iban: IBAN | Coordinate IBAN | c/c IBAN
bic: BIC | SWIFT
bank: Banca | Coordinate bancarie | Banca d'appoggio
page: Pagina {page} di {pages} | Pag. {page}/{pages} | Pag. {page}
phone: Tel. | Telefono | T.
register: REA | Registro imprese | Cap. soc.
reference: Ns. rif. | Preventivo n. | Commessa | Contratto | DDT n.
seller: Cedente | Fornitore | Mittente | Da | Venditore | Emittente | Prestatore
charge: Spese di spedizione | Trasporto | Spese di trasporto | Imballo | Spese accessorie
attn: Alla c.a. {name} | C.a. {name} | {name} | Ufficio acquisti | Amministrazione
salutation: Sig. | Sig.ra | Spett.le | Egr. Sig. | Gent.ma Sig.ra
director: Amministratore unico | Titolare | Legale rappresentante | Direttore
holder: Intestatario | Beneficiario | Intestato a
detail: Prezzo netto | Prezzo lordo | Sconto | Imballo | EAN | Matricola | Peso | DDT | Origine
gross: Totale ivato | Importo lordo | IVA incl. | Lordo
taxed: Importo IVA | IVA | Imposta
day: Data | Giorno | Data prestazione
currency: Valuta | Divisa | Importi in
place_date: {place}, {date} | {place}, lì {date} | {date} | {place} {date}
other: Beneficiario | Rappresentante fiscale | Agente | Vettore | Committente lavori | Pagante
previous: Saldo precedente | Bolletta precedente | Importo fattura precedente
payment: Pagamento ricevuto, grazie | Pagamenti ricevuti | Vostro pagamento
new_charges: Importo del periodo | Totale di questa bolletta | Nuovi addebiti
reading: Matricola contatore | Lettura precedente | Lettura attuale | Differenza
of_base: {rate} su {base} | {rate} di {base} | {rate}, imponibile {base}
named: Nome | Azienda | Ragione sociale | Denominazione
street: Via | Indirizzo | Indirizzo riga 1 | Via e numero
town: Città | CAP / Città | Comune | Località
adjustment: Sconto sul documento | Maggiorazione | Sconti e maggiorazioni | Deduzione
banner: Documento scansionato {code} | Visualizzatore versione {version} del {day} | Liste dei codici al {day} | Originale per il cliente | Ricevuto il {day} | Foglio di stile {version} per fatture elettroniche | Modulo {code} | Profilo: EN 16931, {version} | Documento elettronico non firmato | Copyright {day} | Archivio n. {code}
order_title: Ordine di acquisto | ORDINE | Ordine | Ordine a fornitore | Conferma d'ordine
ordered: Ordinato | Q.tà ordinata | Ord.
open: Residuo | Inevaso | Da consegnare
weight: Peso | Peso netto | Peso lordo | kg
lot: Cod. doganale | Lotto | Magazzino | Matricola | Ubicazione | Centro di costo
slip: Cedola di pagamento | Tagliando da allegare al pagamento | Bollettino | Avviso di pagamento
span: dal {first} al {last} | {first} al {last} | da {first} a {last}
own_order: Ns. ordine | Ordine interno | Conferma d'ordine | Nr. ordine | Ordine n. | Commessa n.
begin: Dal | Arrivo | Inizio | Data inizio | Periodo dal
end: Al | Partenza | Fine | Data fine | Periodo al
strange: DDT n. | Data ordine | Rif. interno | Agente | Commessa | Codice fornitore | Vettore | Cod. destinatario | Cantiere | N. contratto | Matricola contatore | Porto | N. preventivo | N. prenotazione | Vs. riferimento | Polizza | Targa | Data preventivo | Data stampa | Camera | N. progetto | REA | POD | CIG | CUP | Camera | Protocollo | Codice POD | Pratica n. | CIG | Targa | Preventivo n.
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
pay_all: Vi preghiamo di versare {total} entro il {due}. | L'importo di {total} sarà addebitato il {due}.
summary: L'imponibile è di {subtotal}, più IVA di {tax}, per un totale di {total}. | Imponibile {subtotal}, IVA {tax}, totale {total}.
note: La merce resta di proprietà del venditore fino al saldo. | Contributo CONAI assolto ove dovuto. | Trasporto franco destino. | DDT {code}, 12 colli, 148 kg | Orario lun-ven 8:30-17:00 | Resi entro il {day}. | Nuovi prezzi dal {day}. | La prossima fattura sarà emessa il {day}. | Di cui manodopera {amount}. | Come da preventivo {code} del {day}. | Dichiarazione d'intento {code} del {day}. | Risparmio {amount} sul listino. | Garanzia fino al {day}, certificato {code}. | Capitale sociale {amount}, REA {code}.
""",
    articles="""
kWh fine 0.08 0.6: Energia elettrica F1 | Gas naturale | Trasporto e gestione contatore
GB 1 15: Dati mobili aggiuntivi | Spazio cloud
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
