"""English."""

from training.invent.invoices.words.base import words

ENGLISH = words(
    captions="""
title: Invoice | INVOICE | Tax Invoice | TAX INVOICE | Sales Invoice | Commercial Invoice | Bill | Customer Invoice | Pro Rata Invoice | Statement of Charges | E-Invoice | Service Invoice | Freight Invoice | Your bill | Rent invoice
credit_title: Credit Note | CREDIT NOTE | Credit Memo | Credit Invoice | Credit Advice | Refund | Correction Invoice
number: Invoice No. | Invoice Number | Invoice # | Invoice no | Inv. No. | Document No. | Number | Bill No. | Ref | Invoice: # | # | Invoice ID | Document Number | Invoice reference | Bill Number | Tax Invoice No | Doc. no. | No. | Folio | Pro number | Freight bill no. | Statement no. | Receipt no. | Ticket no. | Bill ref. | Our ref. | Reference no. | Case no. | Transaction no. | File no.
date: Invoice Date | Date | Date of Issue | Issue Date | Dated | Tax Point | Document date | Billing Date | Issued | Bill date | Created | Invoiced on | Printed | Issued on | Inv. Date | Date of invoice
due: Due Date | Payment Due | Due | Pay by | Date Due | Payment due date | Please pay by | Payable by | Due on | Payment date | To be paid by | Last day to pay | Payment deadline | Direct debit on
order: PO Number | Purchase Order | P.O. # | Your Order | Order No. | Your PO | PO Ref. | Order reference | Order Number | Order # | Purchase Order No. | Customer PO | Cust. Order | Buyer order no. | Your ref. / PO
customer_id: Customer No. | Customer ID | Account | Account Number | Client ID | Customer # | Acct. No. | Customer Number | Client No. | Customer code | Your account number | Cust. ID | Contract account | Member No.
delivery: Delivery Date | Date of supply | Shipped | Date of Service | Ship Date | Delivered on | Delivery/service date | Supply date | Performance date | Date shipped
period: Service Period | Billing Period | Period | For the period | Service dates | Charges for | Invoicing period | Supply period | Usage period
vendor_tax: VAT No. | VAT Reg. No. | VAT ID | Tax ID | VAT registration number | VAT | Tax Reg. No. | TIN | EIN | ABN | Our VAT number | VAT Registration | Federal Tax ID | GSTIN | GST No. | GST Reg. No. | FEIN | Fed. ID | UEN | VAT reg.
customer_tax: Your VAT No. | Customer VAT ID | Customer tax ID | Client VAT | Buyer VAT ID | VAT no. of customer | Your Tax ID
bill_to: Bill To | Invoice to | Billed to | Customer | Sold to | Client | Billing Address | To | Buyer | Bill-to address | Invoice address | Invoiced to | Recipient | Payer | Account holder | Customer details | Billing details | FAO
ship_to: Ship To | Deliver to | Delivery Address | Shipping Address | Consignee | Delivered to | Service address | Site address | Goods recipient | Ship-to party
contact: Contact | Your contact | Sales Rep | Prepared by | Account manager
pos: # | No. | Item | Line | Pos
code: Item Code | SKU | Part No. | Product Code | Article | Ref | Item # | Product no. | Article no. | Catalogue no. | EAN | GTIN | Model
description: Description | Item Description | Details | Product / Service | Description of goods | Particulars | Product | Service | Goods | Article description | Charges | Text | Activity | Item
quantity: Qty | Quantity | Qty. | Units | Hours/Qty | QTY/HR | Hours | Hrs | Number | Amount/Qty | Pieces | Quantity supplied
unit: Unit | UOM | Per | U/M
price: Unit Price | Price | Rate | Price each | Unit cost | Price/Unit | Price per unit | Net price | Each | Price (net) | Cost | Unit rate | Tariff
discount: Disc. | Discount | Disc %
rate: VAT % | VAT | Tax | Tax Rate | VAT rate | GST % | Tax % | VAT Code | VAT in %
amount: Amount | Total | Line Total | Net Amount | Ext. Price | Value | Net | Sub Total | Amount net | Line amount | Total Price | Sum | Net price total | Net value | Item total
subtotal: Subtotal | Sub-total | Net Total | Total excl. VAT | Total net | Net amount | Taxable amount | Amount excl. VAT | Total before tax | Sum net | Net sum | Goods total | Total (excl. tax) | SUBTOTAL LESS DISCOUNT | Total ex GST | Net value
total_discount: Discount | Less discount | Total discount | Trade discount
tax: VAT | Sales Tax | Tax | VAT {rate} | VAT @ {rate} | Tax ({rate}) | Plus VAT {rate} | GST | HST | VAT amount | Value Added Tax {rate} | plus {rate} VAT | Tax {rate} | GST {rate}
total_tax: Total VAT | Total tax | VAT total | Tax total | VAT | TOTAL TAX | Tax amount | Sales tax | Total GST | VAT amount
tax_within: Includes VAT of | Total includes GST of | Includes VAT {rate} | incl. {rate} VAT | of which VAT | GST included | Tax included ({rate}) | VAT content | This total includes {rate} tax of
trading: {brand} is a trading name of {name} | {name}, trading as {brand} | {name} t/a {brand} | {brand} is a registered trade mark of {name}. | {brand} is operated by {name} | A division of {name}
regards: Kind regards | Yours sincerely | With best wishes | Authorised signature | For and on behalf of the board | Regards,
total: Total | Invoice Total | Grand Total | Total incl. VAT | TOTAL | Gross total | Total amount | Amount | Total gross | Total payable | Sum total | Total (incl. tax) | Gross Total Amount | Total charges | Final amount | Invoice amount | Total Amount
prepaid: Paid | Deposit received | Less payments | Amount paid | Payments/Credits | Advance payment | Already paid | Instalments paid | Paid to date | Payment received
amount_due: Amount Due | Balance Due | Total Due | Balance | Please pay | Amount payable | To pay | Open amount | Outstanding | Remaining balance | BALANCE DUE | Total to pay | Now due
carried: Carried forward | Brought forward | Subtotal carried over
base: Net | Taxable | Goods value
iban: IBAN | Bank account | Account (IBAN)
bic: BIC | SWIFT | SWIFT/BIC
bank: Bank | Bank details | Payment to | Our bank
page: Page {page} of {pages} | {page}/{pages} | Page {page}
phone: Tel. | Phone | T | Telephone
register: Company No. | Registered in England No. | Reg. No. | Registration
reference: Our ref. | Reference | Project | Job | Contract no.
seller: Seller | From | Vendor | Supplier | Issued by | Invoice from | Issuer | Our details | Provider | Payable to
charge: Shipping | Freight | Shipping & handling | Delivery charge | Carriage | Postage and packing | Handling fee
attn: Attn: {name} | Attention {name} | c/o {name} | {name} | Accounts Payable | FAO {name}
salutation: Mr | Ms | Mrs | Messrs | Dr
director: Directors | Managing Director | CEO | Owner | Partner
holder: Account holder | Beneficiary | Account name
detail: Net price | Gross price | Discount | Packaging | EAN | Serial no. | Weight | Delivery note | Origin
gross: Gross | Incl. VAT | Amount incl. tax | Total incl. | Gross amount
taxed: VAT amount | Tax amount | VAT | Tax
day: Date | Service date | Day | Delivered
currency: Currency | Curr. | Invoice currency | All amounts in
place_date: {place}, {date} | {date} | {place}, the {date}
other: Payee | Remit to | Tax representative | Project owner | Agent | Intermediary | Carrier | Final consumer
previous: Previous balance | Balance forward | Last bill | Opening balance | Amount of last invoice
payment: Payment received, thank you | Payments since last bill | Payment received | Credits
new_charges: New charges | Current charges | Charges this period | This bill | Total current charges
reading: Meter no. | Previous reading | Current reading | Difference
of_base: {rate} of {base} | {rate} on {base} | {rate}, base {base}
named: Name | Company | Company name | Name of party
street: Street | Address | Address line 1 | Street and number
town: City | Town | Postcode / City | Address line 2
adjustment: Allowance | Document level allowance | Charge | Deduction | Adjustments
banner: Scanned document {code} | Viewer version {version} of {day} | Code lists as of {day} | Original for the customer | Received on {day} | Style sheet {version} to show data of e-invoices | Form {code} | Profile: EN 16931, {version} | Electronic document, not signed | Copyright {day} | Archive no. {code}
order_title: Purchase Order | PURCHASE ORDER | Order | PO | Blanket order release | Order to supplier
ordered: Ordered | Qty ordered | Order qty | Ord.
open: Backorder | B/O | Open | Qty open
weight: Weight | Net weight | Gross wt. | kg
lot: HS code | HSN/SAC | Lot | Warehouse | Serial no. | Bin | Tariff code | Cost centre
slip: Remittance slip | Payment coupon | Please detach and return with your payment | Remittance Advice | Payment stub
span: from {first} to {last} | {first} to {last} | {first} through {last}
own_order: Our order no. | Sales order | SO no. | Order No. | Order # | Order Number | Our job no. | Order confirmation
begin: From | Check-in | Period from | Start date | Arrival | First day
end: To | Check-out | Period to | End date | Departure | Last day
strange: Delivery note | Order date | Job no. | Cost centre | Sales rep | Account manager | Tracking no. | Supplier no. | Contract date | Meter no. | Store | Terms code | EORI | Quote no. | Booking no. | Reservation | Your reference | Work order | Quotation date | Policy no. | Registration no. | Time of print | Load no. | Route | Room | Folio | Site | Licence no. | Invoice period no. | Case no. | Log no. | Company UEN | Approval no. | Docket
""",
    sentences="""
intro: Thank you for your order. We invoice as follows: | For services rendered: | Please find below the details of your purchase. | Dear customer, we charge you for the following:
numbered: Invoice {number} of {date} | Invoice no. {number}, dated {date} | This invoice {number} was issued on {date}.
terms: Payment terms: {days} days net. | Payable within {days} days of the invoice date. | Terms: Net {days} | Please pay within {days} days without deduction.
discount_terms: {percent} discount if paid within {days} days. | Terms: {percent} {days} days, net 30
due_on: Payment is due on {due}. | Please transfer the amount by {due}. | Due {due}.
thanks: Thank you for your business! | We appreciate your custom. | Kind regards | Questions? Please get in touch.
exempt: VAT exempt supply. | Reverse charge: VAT to be accounted for by the recipient. | Zero-rated export.
credit: This credit note refers to invoice {reference}. | Credit for invoice {reference}, goods returned.
total_sentence: The total amount of this invoice is {total}. | Please remit {total} to the account below.
pay_all: Please pay {total} by {due} to the account named below. | We will collect {total} from your account on {due}. | The balance of {total} falls due on {due}.
summary: The net amount is {subtotal}, plus VAT of {tax}, giving a total of {total}. | Net {subtotal}, tax {tax}, total {total}.
note: Goods remain our property until paid in full. | Late payments are subject to interest of 8% a year. | All prices are exclusive of tax unless stated. | Delivered free of charge. | Shipment {code} of 12 cartons, gross weight 148 kg. | Hotline Mon-Fri 8:30 to 17:00 | You may return goods until {day}. | New prices apply from {day}. | Your next bill will be issued on {day}. | Thereof labour {amount}. | Credit limit {amount}, last changed on {day}. | Quoted as {code} on {day}, agreed by telephone. | Permit {code} of {day} is at your disposal. | You save {amount} against our list price. | Guarantee until {day}, certificate {code}. | After {day} we charge a reminder fee of {amount}.
""",
    articles="""
kWh fine 0.08 0.6: Electricity, day tariff | Natural gas | Grid usage
GB 1 15: Mobile data, extra package | Cloud storage
pcs 2 60: USB-C cable 2 m | Whiteboard marker, set of 4 | Ball pen blue, box of 50 | Hex bolt M8x40 | LED bulb E27 9W | Safety gloves size L | Door handle, stainless | Cotton tote bag | A4 copy paper 80 g | Toner cartridge black | Extension lead 5 m | First-aid kit refill | Coffee mug, printed
pcs 80 2400: Office chair ergonomic | Laser printer | Notebook 14" | Standing desk 160x80 | Cordless drill 18 V | Network switch 24-port | Water pump | Filing cabinet | Security camera | Gas boiler service kit | Conference phone
h fine 35 180: Consulting | Software development | On-site installation | Project management | Graphic design | Electrical works | Technical support | Translation review | Legal advice
kg fine 1 24: Arabica coffee beans | Organic flour type 550 | Copper wire | Apples, class I | Steel sheet offcuts
month 9 420: Hosting, business plan | Software licence, single user | Office cleaning | Maintenance contract | Storage unit rental | Internet line 250 Mbit/s
day 180 1250: Workshop facilitation | Crane hire with operator | Training on site | Car rental, compact
flat 15 900: Shipping and handling | Travel expenses | Set-up fee | Environmental disposal fee | Express surcharge
""",
    details="colour: anthracite | size XL | serial no. 4471-B | as per your specification | 2-year warranty | incl. mounting material | week 23 | for branch office North | lot 2207-11 | batch A",
    sections="Materials | Labour | Building A | Ground floor | Recurring charges | One-off charges | Order of 12 May",
)
