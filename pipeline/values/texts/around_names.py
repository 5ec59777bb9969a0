"""What stands around a name on a page and is no part of it: captions, numbers, addresses, roles.

A caption counts with a colon or, of known words, alone in its line, as names begin with the same
words ("Customer First Inc."); what trails a name goes only where a name is left.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from pipeline.values.patterns import lazy_pattern
from pipeline.values.texts.address_streets import is_street
from pipeline.values.texts.identifiers import DOCUMENT_NAME
from pipeline.values.texts.legal_forms import is_legal_form
from pipeline.values.texts.strings import fold_space, in_ascii, within_pair
from pipeline.values.wordlists import words_of

# Words of captions, without accents, by language. A caption has one of these at least.
_CAPTION_WORDS: dict[str, str] = {
    "en": """bill billed billing sold sell ship shipped shipping invoice invoiced deliver delivered
        delivery remit remittance pay payable payee payer payor paid customer client supplier
        supplied vendor seller buyer purchaser merchant retailer store shop company business firm
        organisation organization entity trading trade brand account name named attention attn att
        fao contact prepared issued issuer sender recipient addressee consignee consignor shipper
        receiver receiving disclosing landlord tenant lessor lessee licensor licensee borrower
        lender guarantor contractor subcontractor consultant employer employee insured assured
        insurer policyholder beneficiary applicant patient student member guest cashier operator
        salesperson salesman manager owner owned proprietor director advertiser agency agent
        sponsor party from to by carrier driver manufacturer manufactured distributor distributed
        exporter importer imported donor signatory signature signed authorized authorised approved
        witness holder cardholder charge debtor creditor bank server served attendant requester
        requested ordered order purchase sales provider publisher published franchisee trustee
        grantor grantee principal attorney consigned payment notify doctor physician managed
        operated reported submitted received remitter quote quotation estimate proposal""",
    "de": """rechnung rechnungsempfanger rechnungsadresse rechnungsanschrift rechnungssteller
        lieferant lieferadresse lieferanschrift lieferung kunde kundin kundenname auftraggeber
        auftragnehmer empfanger empfangerin absender verkaufer verkauft kaufer besteller firma
        firmenname unternehmen kontoinhaber kontoinhaberin vermieter mieter versicherungsnehmer
        ansprechpartner ansprechpartnerin handler aussteller ausgestellt arbeitgeber arbeitnehmer
        inhaber inhaberin geschaftsfuhrer zahlungsempfanger begunstigter leistungserbringer
        leistungsempfanger herrn herr frau eheleute hersteller anbieter sachbearbeiter bearbeiter
        kassierer kreditor debitor nachname vorname""",
    "fr": """facture facturee facturer facturation cliente fournisseur vendeur vendu acheteur emis
        destinataire expediteur expedie societe raison denomination nom prenom entreprise
        etablissement etabli beneficiaire titulaire bailleur locataire preneur assure livre livrer
        livraison emetteur prestataire commercant magasin ordre interlocuteur employeur salarie
        monsieur madame caissier caissiere debiteur creancier payer paye adressee adresse""",
    "es": """cliente proveedor vendedor vendido comprador razon denominacion nombre empresa facturar
        facturado factura enviar destinatario remitente emisor emitido receptor beneficiario
        titular arrendador arrendatario atencion contacto senor senores sres adquirente cajero
        cajera contratante contratista pagador deudor acreedor entregar""",
    "it": """fornitore venditore venduto acquirente compratore ragione denominazione ditta nome
        cognome intestatario intestato intestata mittente cedente prestatore cessionario
        committente locatore conduttore attenzione fatturare fattura fatturato emittente emesso
        emessa azienda spett spettabile cassiere cassiera debitore creditore impresa""",
    "nl": """klant klantnaam leverancier verkoper verkocht koper bedrijf bedrijfsnaam naam factuur
        factuuradres gefactureerd geleverd opdrachtgever opdrachtnemer afnemer ontvanger afzender
        verhuurder huurder werkgever werknemer rekeninghouder begunstigde contactpersoon attentie
        afleveradres bezorgadres uitgevoerd""",
    "pt": """fornecedor razao denominacao designacao faturar faturado fatura emitente tomador
        prestador locador locatario contratado contratada sacado remetente caixa""",
    "pl": """klient nabywca sprzedawca sprzedajacy kupujacy odbiorca dostawca nadawca zamawiajacy
        wykonawca zleceniodawca zleceniobiorca nazwa platnik wystawca najemca wynajmujacy
        ubezpieczajacy kontrahent imie nazwisko pan pani faktura""",
    "cs": """odberatel dodavatel zakaznik kupujici prodavajici prijemce objednatel nazev jmeno
        platce odesilatel""",
    "sk": "kupujuci predavajuci prijemca nazov meno platitel odosielatel",
    "hu": "vevo elado szallito megrendelo ugyfel nev neve cegnev szamlazasi kibocsato cimzett",
    "sv": """kund kundnamn leverantor saljare kopare mottagare avsandare foretag foretagsnamn namn
        bestallare fakturaadress faktureras sald""",
    "da": "kunde kundenavn leverandor saelger kober modtager afsender firmanavn navn",
    "no": "selger kjoper mottaker avsender",
    "fi": """asiakas toimittaja myyja ostaja laskuttaja vastaanottaja lahettaja yritys nimi tilaaja
        saaja laskutusosoite maksaja""",
    "ro": "furnizor vanzator cumparator beneficiar prestator",
    "hr": "kupac prodavatelj dobavljac narucitelj izdavatelj primatelj",
    "sl": "kupec prodajalec dobavitelj narocnik izdajatelj prejemnik",
    "lt": "pirkejas pardavejas tiekejas uzsakovas moketojas",
    "lv": "pircejs pardevejs piegadatajs sanemejs",
    "et": "ostja muuja tarnija saatja",
    "tr": "alici satici musteri tedarikci unvani",
    "ru": """покупатель продавец поставщик заказчик исполнитель плательщик получатель клиент
        грузоотправитель грузополучатель отправитель""",
    "uk": "покупець продавець постачальник замовник виконавець платник одержувач",
    "bg": "купувач продавач доставчик възложител изпълнител получател",
    "sr": "купац продавац добављач наручилац",
    "el": "πελατησ προμηθευτησ αγοραστησ πωλητησ επωνυμια παραληπτησ",  # as case is folded
    "ms": """pelanggan pembeli penjual pemasok pembekal kepada nama syarikat perusahaan penerima
        pengirim juruwang kasir bil""",
}
_HEADS_OF = {language: frozenset(words.split()) for language, words in _CAPTION_WORDS.items()}
_HEADS = frozenset[str]().union(*_HEADS_OF.values())
# Words that stand beside those.
_JOINING = words_of("""
    the of for and or your our full first last no details information info address with on behalf
    legal registered in representative person at dept department print printed service
    ihr ihre an die den das der des von fur und oder zu handen hd vor im durch anschrift
    au aux la le les de du et ou compte sociale social commande donneur pour par
    al el los las del dati apellidos fiscal datos comercial quien direccion por
    alla allo agli di della cortese servizi da indirizzo
    aan van het ter voor en tav door adres ao aos do dos servicos endereco
    dla na obchodni meno till fran av til fra yth dari dan untuk
""")
# Without a colon these begin names in several lines as often.
_ONLY_WITH_COLON = words_of("""
    company business firm store shop bank agency order purchase sales server member party by entity
    brand trade trading contact account name merchant carrier publisher provider principal service
    unternehmen societe entreprise etablissement empresa azienda ditta impresa bedrijf syarikat
    perusahaan foretag yritys charge caixa livre ordre adresse
""")
_SALUTATION_LINES = frozenset({"an", "an die", "an den", "an das", "aan", "to", "till", "til"})
# "To:" in other languages; words that are too short to count beside others.
_TO = words_of("an von de da van od do pour para per fur dla voor till til fra fran")
# No name ends in these behind a word of their language: "A PAYER LE", not "Bill Le".
_LAST_OF_CAPTION = {
    "to": "en", "by": "en", "from": "en", "le": "fr", "par": "fr", "an": "de", "von": "de",
    "por": "es", "aan": "nl", "door": "nl", "till": "sv",
}  # fmt: skip
_OF_NUMBERS = words_of("""
    tel telephone telefon telefono phone fax mobile hp email mail web website visit gst sst vat tax
    reg registration id no nr number date time invoice bill slip inv co company abn uen ust idnr
    iban factura facture rechnung fattura cif nif siret tva receipt order lot unit and h p page of
    ein tin
""")  # what is left of these is no name
_OF_FIGURES = _OF_NUMBERS | {"amount", "total", "subtotal", "balance", "due", "qty", "quantity"}
# What a firm does, and no name alone: behind a colon its name stands in front.
_NO_NAMES = words_of("""
    consulting audit tax advisory legal law services solutions group media holdings partners
    international insurance capital studio research logistics engineering
""")
_MOST_WORDS, _MOST_CHARACTERS = 7, 60  # of a caption
_MOST_WORDS_BEFORE_COLON = 4  # where none of them is known
_COLON, _DASH = lazy_pattern("[:：|]"), lazy_pattern(r"\s[-–—]\s")

_PARTNERS = "customer|client|account|acct|member|policy|kunden|debitoren"
# "Firma Handlowa Nowak" is all of a name, "Firma Nowak" is not.
_POLISH = r"[^\W\d_]{3,}(?:ow[ao]|(?:la|j|cz|n|t)n[ao]|sk[ao]|cz[ao]|ąc[ao])(?![^\W_])"
# What stands before a name and begins none, so that it needs no colon.
_ATTENTION = (
    r"T\.\s?a\.\s?v\.(?:\s?van(?![^\W_]))?|T\.\s?n\.\s?v\.|(?:Attn|c/o|A/A|FAO)(?![^\W_])/?"
    r"|Att\.|z\.\s?H(?:d|dn)?\.|zu\sHänden(?:\s(?:von|der|des))?(?![^\W_])|F\.\s?A\.\s?O\."
    r"|A\sla\satenci[oó]n\sde(?:l|\sla)?(?![^\W_])|[ÀA]\sl['’]att(?:ention|\.)\s(?:de\s|du\s)?"
    r"|Alla\s(?:c\.\s?a\.|cortese\sattenzione)(?:\s(?:di|del|della)(?![^\W_]))?|(?-i:C\.a\.)"
    r"|(?:Aos?\scuidados?|A/C)\sde(?![^\W_])|Do\srąk(?![^\W_])"
)
_SALUTATION = lazy_pattern(
    r"(?:(?:pay\sto\sthe\sorder|for\sthe\sattention)\sof(?![^\W_])"
    r"|לכבוד(?![^\W_])|(?:notify\sparty|by\sand\sbetween|(?-i:between))(?![^\W_])"
    r"|(?:signed\s)?(?:for\sand\s)?on\sbehalf\sof(?![^\W_])"
    r"|(?:(?:facturar|fatturare|faturar)\sa|emess[ao]\sda)(?![^\W_])"
    rf"|(?:{_PARTNERS})[\s-]?(?:no|nr|n[°º]|num(?:ber|mer)|id|#)?\W{{0,3}}\d[\w/-]{{0,15}}\s?[:–-](?=\s)|M/s(?![^\W_])|Messrs(?![^\W_])|Spett(?:\.\s?(?:le|li)|abile|(?=\.))(?![^\W_])(?:\sditta(?![^\W_]))?"
    rf"|{_ATTENTION}|Herrn(?![^\W_])|Firma(?![^\W_])(?!\s{_POLISH})|(?:Sayın|السيدة?|السادة)(?![^\W_])/?|Fa\."
    r"|(?:Kepada\s)?Yth(?![^\W_])|Egr\.(?:\s?Sig(?![^\W_]))?"
    r"|Ex\.?m[oa]s?\.?\s(?=Sr|Senhor)"
    r"|Gent\.\s?(?:le|ma|mo)\sSig\.?(?:ra)?(?![^\W_]))"
    r"[\s:.]{0,3}(?=\S)",
    re.IGNORECASE,
)
# Whom a company's letter is for, by first and last name, stands above the company.
_FOR_SOMEBODY = lazy_pattern(
    rf"(?:{_ATTENTION})[\s:.]{{0,3}}(?P<who>[^\W\d_]\S*(?:\s\S+)+)", re.IGNORECASE
)
# Roles need no colon either where no name begins with them: those of other languages than English,
# but for titles, documents and words for companies, and of English these.
_NO_ROLES = words_of("""
    herr herrn frau eheleute monsieur madame senor senores sres pan pani spett spettabile firma
    magasin rechnung facture factura fattura factuur fatura faktura lieferung livraison nom nombre
    nome naam namn navn nazwa nazev nev titular ordre pagador client cliente
""")
_ROLES = words_of("""
    seller consignee consignor salesperson cashier shipper advertiser payee payer remitter addressee
    lessee lessor licensee licensor
""") | (_HEADS - _HEADS_OF["en"] - _ONLY_WITH_COLON - _NO_ROLES)
# driver's name, raison sociale
_NAMED = words_of("name person nom nombre nome naam namn navn nazwa sociale social")
_TOWARDS = words_of("to by from par a an aan door por till til")
# No name begins with these so written: "Émis | par Lee SARL", "Nom Lee SARL".
_LEADING = frozenset(("par", "por", "door", "przez", "Nom", "Nome", "Naam", "Nazwa"))
_BETWEEN = words_of("of and or by is for the")
_MOST_WORDS_WITHOUT_COLON = 5
_EASTERN_ROLE = lazy_pattern(
    r"(?:ลูกค้า|ผู้ซื้อ|ผู้ขาย|発注者|受注者|請求先|納品先|買主|売主|买方|卖方|付款人|收款人|供应商|客户|공급자|공급받는자)\s(?=\S)"
)
_CUSTOMER = lazy_pattern(
    r"お客様名?|お得意様名?|お取引先様?|ご担当者様?|各位|貴社|御中|様|고객명?|고객님|客户|客戶"
)
_GREETING = lazy_pattern(
    r"(?:welcome\sto|thank\syou\sfor\s(?:shopping|dining)\s(?:at|with))"
    r"\s(?!(?:us|our|the)(?![^\W_]))(?P<name>[^.!]{2,60})[.!]{0,3}",
    re.IGNORECASE,
)
# What a brand is of, before the name of whom it is.
_OWNED = lazy_pattern(
    r"(?:.{2,40}?,?\s)?(?:(?:is\s)?a\s(?:(?:trading|business)\sname|division|brand|trade\s?mark)\sof"
    r"|is\soperated\sby|(?:ist\s)?eine\sMarke\sde[rs]|wird\sbetrieben\svon(?:\sde[rm])?(?![^\W_])"
    r"|ein\sUnternehmen\sde[rs]|(?:est\s)?une\smarque\sde|enseigne\sexploitée\spar"
    r"|une\ssociété\sdu\sgroupe|es\suna\smarca\sde|nombre\scomercial\sde|es\soperado\spor"
    r"|è\sun\smarchio\sdi|insegna\sdi|è\sgestito\sda|(?:is\s)?een\shandelsnaam\svan"
    r"|is\sonderdeel\svan|é\suma\smarca\sde|marca\sregistada\sde|é\sexplorado\spor|jest\smarką"
    r"|marka\snależąca\sdo)\s(?=\S)",
    re.IGNORECASE,
)
_POSITION = lazy_pattern(
    r",\s(?:accounts?\s(?:payable|receivable|department)|accounting|purchasing|procurement|finance"
    r"|billing|sales|legal|hr|human\sresources|(?:general|sales|project|office|purchasing)\smanager"
    r"|director|buchhaltung|einkauf|vertrieb|geschäftsführer(?:in)?|comptabilité|achats|contabilidad"
    r"|compras|amministrazione|acquisti|administratie|inkoop|księgowość)"
    r"(?:\s(?:dept|department|team)\.?)?$",
    re.IGNORECASE,
)
_FIVE_DIGITS = r"(?=(?:[A-Z .()+/\-]{0,5}\d){5})"
_NUMBER_WORDS = (
    r"(?:(?:reg(?:istration|istered|n|d)?|nos?|nr|n[°º]|numéro|number|numero|número|nummer|id|code"
    r"|intracom\w{0,15})[^\w(]{0,3}){0,4}"
)
# Registers and taxes in short, as they are printed: in small letters some are words.
_REGISTERS_TEXT = """
    GSTIN GST SST ABN ACN ARBN NZBN CIF NIF VAT UID HRB HRA SIRET SIREN TVA CNPJ CPF CUIT RFC RUC
    RUT NIT NIP REGON KRS KVK KvK BTW UEN CIN PAN TIN EIN CVR IČO IČ DIČ NPWP BRN ROC SSM FN CHE
    NIPC CRN LLPIN BN QST MVA CR HST PST TPS TVQ MWST MOMS KDV TRN OIB AFM EIK INN ИНН KPP КПП ОГРН
    ΑΦΜ MST EORI IBAN SWIFT IVA VERGI ORG
    CUI RIF RNC
"""
_REGISTERS = "|".join(r"\.?".join(word) for word in _REGISTERS_TEXT.split()) + (
    r"|R\.?C\.?S\.?(?:\s[A-Z][\w-]{1,20}){0,2}"
)
_REGISTERS_IN_WORDS = (
    r"p\.?\s?[il1|]va|partita\siva|cod(?:ice|\.)\s?fisc(?:ale|\.)|c\.\s?f\.(?:\s?(?:e|/)\s?p\.?\s?iva)?|ust\.?-?\s?id(?:ent)?\.?-?(?:nr)?"
    r"|ust|steuer-?n(?:ummer|r)|st\.?-?nr|org(?:anisation)?s?\.?\s?-?(?:nr|nummer|no)|cvr-nr|y-tunnus"
    r"|adószám|cégjegyzékszám|kvk-?(?:nummer|nr)|btw-?(?:nummer|nr)|inscri[cç][aã]o\sestadual"
    r"|(?:fed(?:eral)?\.?\s?)?tax|handelsregister(?:nummer)?"
    r"|(?:company|co|business|gst|sst|firm|charity|trade|roc|corp)\.?\s?(?:reg\w{0,10}|no|number)"
    r"|reg(?:istration|istered|n|d)?"
    r"|registered\sin\s[^\W\d_]{3,12}(?:\s(?:and|&)\s[^\W\d_]{3,12})?"
)
CAPTIONED = (
    rf"(?:(?:{_REGISTERS})(?![^\W\d_])[^\w(]{{0,3}}(?i:{_NUMBER_WORDS})"
    rf"|(?i:(?:{_REGISTERS_IN_WORDS})(?![^\W\d_])[^\w(]{{0,3}}{_NUMBER_WORDS}))"
    rf"[A-Z]{{0,4}}{_FIVE_DIGITS}"
)
"""A regular expression of what stands before the number of a register or a tax."""
_IN_BRACKETS = lazy_pattern(
    # (123456-K), (012-555 8821), (UEN 201512345K); a few bare digits may number a customer
    r"\s?[(\[]\s?(?:(?=(?:[^\d()\[\]]{0,4}\d){7})[A-Z]{0,4}[\d\s./+-]{7,24}[A-Z]{0,2}"
    rf"|\d{{3,7}}-?[A-Z]|{CAPTIONED}[^()\[\]]{{5,40}})\s?[)\]]"
)
PHONE_WORDS = (
    r"te[l1i|](?:efono?|éfono|efone|ephone|efax)?|tél(?:éphone)?|phone|ph|fax|mob(?:ile|il)?|cell|handy"
    r"|h/?p|gsm|whatsapp|hotline|puh|tlf|tfno|тел"
)
"""A regular expression of what stands before the number of a phone."""
_PARTIES = (
    "company|supplier|seller|buyer|purchaser|vendor|customer|client|contractor|consultant|licensor"
    "|licensee|landlord|tenant|lessor|lessee|employer|employee|borrower|lender|recipient|discloser"
    "|disclosing party|receiving party|agent|agency|advertiser|provider"
)
_STATUS = (
    r"(?:[^\W\d_][\w.'-]{0,20}\s){0,5}?(?:corporation|company|partnership|firm|trust|association"
    r"|individual|l\.?l\.?c\.?|nonprofit|body\scorporate|bank|entity)"
)
_TRAILING_TEXTS = (
    # a long number behind a comma or a dash, whatever it is called
    r"(?:[,;|]|\s[-–])\s?(?:[^\W\d_][^\W\d_./-]{0,14}\.?\s){0,2}[^\W\d_]{2,15}[.:]{0,2}\s"
    r"[A-Z]{0,3}\d(?:[\s./-]?\d){6,14}$",
    # phones, with a caption and without
    rf"(?<![^\W_])(?:{PHONE_WORDS})(?:\s?no)?[^\w(+]{{0,3}}{_FIVE_DIGITS}",
    r"(?<=[\s,;|])\d{3}([-.])(?:\d{3}\1)?\d{4}$",
    r"(?<=[\s,;|])(?:\+\d|\(\d{2,5}\)\s?\d|0\d|\d{3}-\d{3})[\d\s()./-]{5,18}\d$",
    # numbers of documents and customers
    rf"(?<![^\W_]){DOCUMENT_NAME}\s?(?:(?:no|nr|n[°º]|num(?:ber|mer)?|#)\W{{0,3}}|[:#]\s?"
    r"|(?=\d{3}))(?=[A-Z/-]{0,6}\d{2})",
    rf"(?<![^\W_])(?:iban|(?:{_PARTNERS})[\s-]{{0,2}}(?:no|nr|num(?:ber|mer)|id|code|#))\W{{0,3}}"
    r"(?=[A-Z/-]{0,6}\d{2})",
    r"(?<=bhd)\.?\s\d{5,12}(?:-[a-z])?$",
    # what is written below a signature, and behind it
    r",\s(?:(?:senior|executive)\s)?(?:(?:vice[\s-])?president|c[efot]o|chief\s[^\W\d_]{4,12}\sofficer"
    r"|managing\sdirector|general\scounsel|secretary|treasurer)$",
    r"(?<![^\W_])(?:title|position|its|date|funktion|fonction|cargo)\s?:\s?(?=\S)",
    # dates and pages
    r"(?<![^\W_])(?:date|datum|fecha|data)\s?:\s?(?=\d)|\s\d{1,2}[./]\d{1,2}[./]\d{4}$",
    r"(?<![^\W_])(?:page|seite|página|pagina)\s\d{1,3}(?:\s?(?:of|von|de|di|sur|van|/)\s?\d{1,3})?$",
    # where it is seated
    r"\s?\((?:head\soffice|สำนักงานใหญ่|สาขา[^()]{0,30})\)$",
    # addresses of the net
    r"(?<![^\W_])(?:e-?mail|mail|web(?:site)?|internet)\s?:",
    r"<?(?<![^\s<(|,;:/])[\w.+-]{1,40}@[\w-]{1,40}\.[\w.-]{1,40}",
    r"(?<![^\W_])(?:https?://|www\.)\S",
    # (the "Supplier"), ("Licensor"), hereinafter called
    r"[(\[]\s?(?:(?:the|each|collectively|together|individually)(?![^\W_])[^()\"“”„«]{0,30})?"
    r"[\"“”„«]\s?[^\W\d_]",
    rf"\(\s?the\s(?:{_PARTIES})\s?\)|,\sas\s(?:the\s)?(?:{_PARTIES})$",
    r"[(\[,]?\s?(?<![^\W_])(?:herein(?:after)?|hereafter|nachfolgend|nachstehend|im\sfolgenden"
    r"|ci-après|en\sadelante|en\slo\ssucesivo|di\sseguito|hierna|doravante"
    r"|zwan[yaei]\w{0,3}\sdalej)(?![^\W_])",
    # to a company or a person, in Japan and Korea
    r"\s?(?:御中|様|귀하|귀중)$|\s殿$",
    # who speaks for it there
    r"\s(?:代表取締役|代表者|대표(?:이사|자)?)(?:社長)?[\s:：]{1,2}(?=\S)",
    # , a Delaware corporation; with its seat, capital, managers
    rf"[,(]\s?an?\s{_STATUS}(?![^\W_])",
    r"[,(]\s?(?:a\scompany\s)?(?:incorporated|organi[sz]ed|registered)\s(?:and\sexisting\s)?"
    r"(?:in|under|with)\s",
    r",?\s(?:having\sits\s|with\s(?:its\s)?(?:registered|principal)\soffice|mit\ssitz\sin\s"
    r"|con\s(?:sede|domicilio)\s|dont\sle\ssiège|ayant\sson\ssiège|gevestigd\ste\s|z\ssiedzibą\s"
    r"|com\ssede\s|amtsgericht\s|capitale\ssociale|cap\.\ssoc"
    r"|(?:with\san\saddress|residing|located)\sat\s|whose\saddress\s"
    r"|and\sits\s(?:affiliate|subsidiar|successor))",
    r"(?:,\ssociété(?:\s[^\W\d_]{1,15}){1,4})?\sau\scapital\s|,\sits\s(?:affiliate|subsidiar|successor)",
    r",?\s(?:represented|vertreten|handelnd|représentée?|representad[ao]|rappresentat[ao]|vertegenwoordigd)"
    r"\s(?:by|durch|par|por|da|door)\s",
    r"(?<![^\W_])(?:geschäftsführer(?:in)?|gérante?|managing\sdirector|directors?)\s?:",
    # for the attention of somebody
    r"(?<![^\W_])(?:(?:attn|attention|att|contact|ansprechpartner(?:in)?)\s?[.:]"
    r"|z\.\s?h(?:d|dn)?\.|t\.\s?a\.\s?v\.|c/o(?![^\W_]))\s?(?=\S)",
)
_IS_CAPTIONED = lazy_pattern(rf"{CAPTIONED}\S*$")
_TRAILING = (
    lazy_pattern(rf"(?<![^\W_])(?:(?i:n[°º]|no|nr|num[ée]ro)\.?\s(?:de\s)?)?{CAPTIONED}"),
    *(lazy_pattern(text, re.IGNORECASE) for text in _TRAILING_TEXTS),
)
# Acme Ltd., whose seat is Hull; but Acme SA, succursale de Madrid, and Acme Ltd, trading as Zenith
_CLAUSE = lazy_pattern(r",\s(?P<word>[a-zß-öø-ÿą-ž]{1,20})\s")
_OF_NAME = words_of("""
    and und et y e i og och en de di du da do del of van von der for trading doing dba succursale
    sucursal filiale filial oddział branch
""")

_TITLE = lazy_pattern(
    r"(?:(?:tax|sales|simplified|commercial|pro-?forma|cash|official)\s)?(?:invoice|receipt|quotation|rechnung"
    r"|quittung|facture|factura|fattura|fatura|factuur|faktura|resit|cash\sbill|kassenbon)",
    re.IGNORECASE,
)
_WORD_AND_NUMBER = lazy_pattern(r"(?!page)[^\W\d_]+ \d{1,2}", re.IGNORECASE)  # Company 3, Lot 18
_OF_TILLS = lazy_pattern(
    r"(?:sub-?\s?total|grand\stotal|total\s(?:amount|due)|(?:amount|balance)\sdue|thank\syou|welcome\sto"
    r"|(?:thank\syou\sfor\syour|(?:vielen\sdank|danke)\sfür\sihren|merci\sde\svotre|gracias\spor\ssu)\s\w{3,12}"
    r"|(?:customer|merchant|cardholder|client|office)(?:['’]?s)?\scopy)[\s!.]*",
    re.I,
)
_ROOM_OR_BOX = lazy_pattern(
    r"(?<![^\W_])(?:suite|ste|unit|room|floor|flat|lot|markt(?:platz)?|p\.?\s?o\.?\s?box|postfach"
    r"|apartado)(?![^\W_])",
    re.IGNORECASE,
)
_POSTCODE = lazy_pattern(
    r"(?:[A-Z]{1,2}-)?\d{4,6}\s[^\W\d_]{3}|.{2,40}?,?\s[A-Z]{2},?\s\d{5}(?:-\d{4})?$"
    r"|.{0,40}\s[A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2}$"
)
_SEPARATOR = lazy_pattern(r"\s?,\s?|\s[-–—|·•*]\s|\s(?=\d)")
_MOST_SEGMENTS = 20
_MARK = lazy_pattern(r"\s?(?:[®™℠]|\(TM\))|(?:copyright\s)?©\s?(?:\d{4},?\s)?", re.IGNORECASE)
_NUMBERED = lazy_pattern(
    # 00412 Heron Ltd; but 1234567 Ontario Ltd. and 0912345 BC Ltd. are whole names
    r"^(?:\(?\d{1,2}\)\s(?=\S)|0\d{4,11}\s(?!BC\s)(?=[^\W\d_]{2})|(?:and|und|et)\s(?=[A-Z]))"
)
_BULLETS = " •·●▪■◦‣★☆▶►→♦◆※"
_OPENING, _CLOSING = "“„«‹", "”“»›"  # quotes that may have lost their partner
_LEAST_LETTERS = 2  # of a name
LONGEST = 400
"""Characters of the longest text in which a name is looked for."""


def lines_of_name(text: str) -> list[str]:
    """Return the lines of a text less captions, somebody's attention and the addresses below."""
    lines = [line for raw in text.splitlines() if (line := fold_space(raw))]
    if len(text) > LONGEST:
        return lines
    while (
        len(lines) > 1
        and (_is_heading(lines[0]) or (_is_for_somebody(lines[0]) and " " in lines[1]))
        and _is_name(" ".join(lines[1:]))
    ):
        del lines[0]
    while len(lines) > 1 and _TITLE.fullmatch(lines[-1]):
        del lines[-1]
    for index in range(1, len(lines)):
        if _is_address(lines[index], lines[index:]) and _is_name(" ".join(lines[:index])):
            return lines[:index]
    return lines


def without_surroundings(name: str) -> str:
    """Return a line without what stands around the name in it, where its form tells so.

    One round: what comes to the ends by it may be stray, or go in another.
    """
    bare = _NUMBERED.sub("", _MARK.sub("", name).strip(_BULLETS))
    bare = _without_caption(_without_quotes(bare))
    short = _IN_BRACKETS.sub("", bare)
    bare = short if _is_name(short) else bare
    for pattern in _TRAILING:
        starts = (found.start() for found in pattern.finditer(bare))
        bare = next((bare[:start] for start in starts if _is_name(bare[:start])), bare)
    return _without_address(_without_clause(bare))


def is_caption(text: str) -> bool:
    """Return whether a text is nothing but a caption: "Bill to:", "BILL TO", "A PAYER LE"."""
    if _CUSTOMER.fullmatch(text) is not None:
        return True
    if _is_caption(text) and " " in text:
        *heads, last = _words(text)
        if not _HEADS_OF.get(_LAST_OF_CAPTION.get(last, ""), frozenset()).isdisjoint(heads):
            return True
    if not text.rstrip(" _-–—.…").endswith((":", "：")):
        return False
    return _is_caption(text) or _OF_FIGURES.issuperset(_words(text))


def is_no_name(text: str) -> bool:
    """Return whether a text is marks and figures, titles a document, or is a captioned number."""
    if _WORD_AND_NUMBER.fullmatch(text) and _OF_NUMBERS.issuperset(_words(text)):
        return False
    words = [word for word in _words(text) if len(word) > 1]
    return (
        not (any(map(str.isalpha, text)) or text.isdecimal())
        or (_TITLE.fullmatch(text) or _OF_TILLS.fullmatch(text) or _IS_CAPTIONED.match(text))
        is not None
        or (any(map(str.isdecimal, text)) and bool(words) and _OF_FIGURES.issuperset(words))
    )


def _is_name(text: str) -> bool:
    """Return whether letters are left that are more than the caption of a number."""
    letters = sum(map(str.isalpha, text))
    return letters >= _LEAST_LETTERS and not _OF_NUMBERS.issuperset(_words(text))


def _words(text: str) -> list[str]:
    """Return the words of a text in small letters, without accents."""
    return re.findall(r"[^\W\d_]+", in_ascii(text.casefold()))


def _is_caption(text: str) -> bool:
    if len(text) > _MOST_CHARACTERS or any(map(str.isdecimal, text)):
        return False
    words = _words(text)
    if len(words) == 1 and words[0] in _TO:
        return True
    return (
        len(words) <= _MOST_WORDS
        and any(word in _HEADS for word in words)
        and all(len(word) == 1 or word in _HEADS or word in _JOINING for word in words)
    )


def _is_heading(line: str) -> bool:
    """Return whether a line is a caption, a salutation or the title of a document."""
    if _TITLE.fullmatch(line):
        return True
    words = _words(line[:_MOST_CHARACTERS])
    if line.endswith((":", "：")) or _HEADS.isdisjoint(words):
        return is_caption(line) or " ".join(words) in _SALUTATION_LINES
    return _is_caption(line) and not _HEADS.isdisjoint({*words} - _ONLY_WITH_COLON)


def _is_for_somebody(line: str) -> bool:
    """Return whether a line is for the attention of a person, who has no legal form."""
    found = _FOR_SOMEBODY.fullmatch(line)
    return found is not None and not _has_legal_form(found["who"])


def _has_legal_form(name: str) -> bool:
    return any(map(is_legal_form, name.split()))


def _without_caption(name: str) -> str:
    colon = _COLON.search(name, 0, _MOST_CHARACTERS)
    if colon is not None and (_is_caption(name[: colon.start()]) or _parts_caption(name, colon)):
        rest = name[colon.end() :]
    elif (dash := _DASH.search(name)) is not None and _is_heading(name[: dash.start()]):
        rest = name[dash.end() :]
    elif (greeting := _GREETING.fullmatch(name)) is not None:
        rest = greeting["name"]
    elif (owned := _OWNED.match(name)) and not _has_legal_form(owned.group().replace(",", " ")):
        rest = name[owned.end() :]
    elif (behind := _behind_words(name)) is not None:
        rest = behind
    elif (role := _EASTERN_ROLE.match(name)) is not None:
        rest = name[role.end() :]
    elif (salutation := _SALUTATION.match(name)) is not None:
        rest = name[salutation.end() :]
    else:
        return name
    return _POSITION.sub("", rest) if _is_name(rest) else name


def _behind_words(name: str) -> str | None:
    """Return what stands behind the words of a caption that has no colon; None where nothing does.

    They end in "to" or "by" ("Remit payment to"), in "name" ("Driver's name"), are roles that begin
    no name ("Vendedor"), or capitals stand behind small letters ("Client SARL MODE & CIE").
    """
    tokens = name.split()
    for count in range(min(_MOST_WORDS_WITHOUT_COLON, len(tokens) - 1), 0, -1):
        caption, rest = " ".join(tokens[:count]), " ".join(tokens[count:])
        words = _words(caption)
        if caption in _LEADING and _says_who(rest) and rest[:1].isupper():
            return rest
        if "&" in tokens[: count + 1] or not (_is_caption(caption) and _says_who(rest)):
            continue  # Kunde & Sohn GmbH
        leads = len(words) > 1 and (words[-1] in _TOWARDS or words[-1] in _NAMED)
        if tokens[count] in _BETWEEN if leads else tokens[count].islower():
            continue  # Vendedor de Autos SL; but Sold to van Dijk, Seller eBay Inc
        if words[-1] == "by" and not " ".join(words).endswith(("ed by", "sold by")):
            continue  # prepared by; but OWNER BY NATURE, paid by card
        capitals = count <= 3 and rest.isupper() and not caption.isupper() and " " in rest
        if (
            leads
            or (words[-1] in _ROLES and _ROLES.issuperset({*words} - _JOINING))
            or (capitals and words[0] != "bill" and _is_heading(caption))
        ):
            return rest
    return None


def _says_who(name: str) -> bool:
    """Return whether a name has a word of its own: "Logistics Inc" and "OPERATOR INC" have none."""
    words = [word for word in name.split() if not is_legal_form(word)]
    return not (_NO_NAMES | _HEADS).issuperset(_words(" ".join(words)))


def _parts_caption(name: str, colon: re.Match[str]) -> bool:
    """Return whether a colon ends a caption whatever its words say, as hardly any name has one.

    So it does behind a few words that end with no legal form, with a gap or another script and a
    word behind.
    """
    words, behind = name[: colon.start()].split(), name[colon.end() :]
    if colon.group() == "|" or not 1 <= len(words) <= _MOST_WORDS_BEFORE_COLON:  # Vega | Partner
        return False
    if is_legal_form(words[-1]):
        return False
    if any(map(str.isdecimal, "".join(words))) or (
        behind[:1] != " " and behind[:1].isascii() and words[-1].isascii()
    ):
        return False
    if _NO_NAMES.issuperset(_words(behind)):  # Deloitte: Consulting
        return False
    return any(len(word) > 1 and _is_word(word) for word in re.split(r"[\s.,'’&()-]", behind))


def _is_word(text: str) -> bool:
    """Return whether a text is all letters, and the vowel signs that some scripts have for them."""
    return all(c.isalpha() or unicodedata.category(c)[0] == "M" for c in text)


def _without_quotes(name: str) -> str:
    """Return a name without quotes or brackets around all of it, and without half a pair."""
    if (inner := within_pair(name)) is not None and _is_name(inner):
        return inner
    opened, closed = name.lstrip(_OPENING), name.rstrip(_CLOSING)
    if opened != name and not any(mark in opened for mark in _CLOSING):
        return opened
    if closed != name and not any(mark in closed for mark in _OPENING):
        return closed
    return name


def _is_address(line: str, rest: Sequence[str]) -> bool:
    """Return whether a line is of an address, and no line of the rest is part of a name in full."""
    if not any(map(str.isdecimal, line)):
        return False
    told = _ROOM_OR_BOX.search(line) or _POSTCODE.match(line)
    if told is None and not any(map(is_street, line.split(", "))):
        return False
    return not any(is_legal_form(word) for text in rest for word in text.split())


def _without_clause(name: str) -> str:
    """Return a name without what small letters say behind its legal form and a comma."""
    for clause in _CLAUSE.finditer(name):
        before = name[: clause.start()]
        if clause["word"] not in _OF_NAME and is_legal_form(before.rsplit(" ", 1)[-1]):
            return before
    return name


def _without_address(name: str) -> str:
    """Return a name without the street and number behind a comma, a dash or its legal form."""
    for _, separator in zip(range(_MOST_SEGMENTS), _SEPARATOR.finditer(name), strict=False):
        before, behind = name[: separator.start()], name[separator.end() :]
        if not _is_name(before):
            continue
        if not separator.group().strip() and not is_legal_form(before.split()[-1]):
            continue
        if _is_address(", ".join(re.split(r",|\s\|\s", behind)[:2]), [behind]):
            return before
    return name
