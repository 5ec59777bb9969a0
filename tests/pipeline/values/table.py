"""What printed texts mean: inputs from all regions with their right answers.

A row is kind, text, what it becomes, and where it matters what the page or the model says. `value`
is short: for amounts "AMOUNT CURRENCY", the currency "-" where none is told; for durations the ISO
form; else the value. `FAIL` stands for a text that is no value. A value that ends in "?" is to be
ambiguous, and the readings behind it, parted by "|", are its alternatives.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from pipeline.values.context import DocumentContext
from pipeline.values.schema import FieldSpec, Kind

FAIL = "FAIL"


class Row(NamedTuple):
    """One input and its right answer."""

    kind: Kind
    text: str
    value: str
    document: DocumentContext = DocumentContext()
    hints: dict[str, Any] = {}  # noqa: RUF012

    @property
    def spec(self) -> FieldSpec:
        """The field."""
        return FieldSpec("field", self.kind, **self.hints)


_DATES = """
25/12/2018 = 2018-12-25
12/25/2018 = 2018-12-25
25-12-18 = 2018-12-25
25.12.2018 = 2018-12-25
25. 12. 2018 = 2018-12-25
2018-12-25 = 2018-12-25
2018/12/25 = 2018-12-25
2018.12.25 = 2018-12-25
2018-12-25T10:00:00Z = 2018-12-25
2018-12-25 23:59:59 = 2018-12-25
20181225 = 2018-12-25
2O24-03-12 = 2024-03-12
l2.03.2024 = 2024-03-12? 2024-12-03
25/12/202l = 2021-12-25
Total25/12/2018 = 2018-12-25
2021-08-1Z = 2021-08-12?
22 août 20Z4 = 2024-08-22?
2D23-03-10 = 2023-03-10?
B2.03.2024 B = 2024-03-02? 2024-02-03
25/12/2018A = 2018-12-25
1st August 2021 = 2021-08-01
3/4/2018 = 2018-04-03? 2018-03-04
03.04.18 = 2018-04-03? 2018-03-04
05/05/2018 = 2018-05-05
31/02/2018 = FAIL
0 March 2024 = FAIL
March 00, 2024 = FAIL
le 0 mars 2024 = FAIL
2018年3月0日 = FAIL
00 2024 x = FAIL
31 FEB 2018 = FAIL
the 16th of March, 2018 = 2018-03-16
16th March 2018 = 2018-03-16
March 16th, 2018 = 2018-03-16
March sixteenth, 2018 = 2018-03-16
the sixteenth day of March 2018 = 2018-03-16
Mar. 16, 2018 = 2018-03-16
16-MAR-2018 = 2018-03-16
16MAR18 = 2018-03-16
Fri, 16 Mar 2018 10:22:01 +0100 = 2018-03-16
Friday, March 16, 2018 = 2018-03-16
Invoice date: 16 March 2018 = 2018-03-16
16 марта 2018 = 2018-03-16
16 марта 2018 г. = 2018-03-16
3-го марта 2018 = 2018-03-03
16 marca 2018 = 2018-03-16
16 marca 2018 r. = 2018-03-16
30 Ago 2018 = 2018-08-30
30 de agosto de 2018 = 2018-08-30
30 agosto 2018 = 2018-08-30
1er mars 2018 = 2018-03-01
le 1er mars 2018 = 2018-03-01
3 août 2018 = 2018-08-03
03 févr. 2018 = 2018-02-03
den 3. Mai 2018 = 2018-05-03
3. März 2018 = 2018-03-03
3. Mrz. 2018 = 2018-03-03
Berlin, den 3. Januar 2018 = 2018-01-03
3. Jänner 2018 = 2018-01-03
3 maart 2018 = 2018-03-03
3 mrt 2018 = 2018-03-03
1.º de março de 2019 = 2019-03-01
3 de dezembro de 2019 = 2019-12-03
5 gennaio 2019 = 2019-01-05
1º gennaio 2019 = 2019-01-01
5 set 2019 = 2019-09-05
den 5 mars 2018 = 2018-03-05
5. marts 2018 = 2018-03-05
5. desember 2018 = 2018-12-05
5. maaliskuuta 2018 = 2018-03-05
5. března 2018 = 2018-03-05
5. mája 2018 = 2018-05-05
2018. március 5. = 2018-03-05
2018. febr. 5. = 2018-02-05
5 martie 2018 = 2018-03-05
5 март 2018 г. = 2018-03-05
5. ožujka 2018. = 2018-03-05
5. marec 2018 = 2018-03-05
5. март 2018. = 2018-03-05
5 березня 2018 р. = 2018-03-05
2018 m. kovo 5 d. = 2018-03-05
2018. gada 5. marts = 2018-03-05
5. märts 2018 = 2018-03-05
5 Mart 2018 = 2018-03-05
20 Mart 2018 Salı = 2018-03-20
5 Μαρτίου 2018 = 2018-03-05
5 במרץ 2018 = 2018-03-05
5 مارس 2018 = 2018-03-05
٥ مارس ٢٠١٨ = 2018-03-05
٢٥/١٢/٢٠١٨ = 2018-12-25
5 मार्च 2018 = 2018-03-05
৫ মার্চ, ২০১৮ = 2018-03-05
5 มีนาคม 2561 = 2018-03-05
5 มี.ค. 2561 = 2018-03-05
ngày 5 tháng 3 năm 2018 = 2018-03-05
5 Maret 2018 = 2018-03-05
5 Mac 2018 = 2018-03-05
31 OGOS 2018 = 2018-08-31
Marso 5, 2018 = 2018-03-05
5 Maart 2018 = 2018-03-05
5 d’abril de 2018 = 2018-04-05
2018年3月5日 = 2018-03-05
２０１８年３月５日 = 2018-03-05
2018年3月 = 2018-03
平成30年3月5日 = 2018-03-05
令和元年5月1日 = 2019-05-01
民國107年3月5日 = 2018-03-05
2018년 3월 5일 = 2018-03-05
H30.03.05 = 2018-03-05
1397/12/14 = FAIL
14 رمضان 1439 = FAIL
3.III.2018 = 2018-03-03
5 listopada 2018 = 2018-11-05? 2018-10-05
Q3 2019 = 2019-Q3
Q3/2019 = 2019-Q3
2019-Q3 = 2019-Q3
3Q19 = 2019-Q3
3. Quartal 2019 = 2019-Q3
third quarter of 2019 = 2019-Q3
T3 2019 = 2019-Q3
3e trimestre 2019 = 2019-Q3
week 12/2019 = FAIL
KW 12/2019 = FAIL
2019-W12 = FAIL
0ct 3, 2016 = 2016-10-03
3 Apr1l 2019 = 2019-04-03
30% Mar 2018 = 2018-03
27/03 2018 = 2018-03-27?
27 032018 = 2018-03-27?
05 02-18 = 2018-02-05? 2018-05-02
2018 03 27 = 2018-03-27?
12 345678 = FAIL
99 99 99 = FAIL
20/03/201 8 = FAIL
Mar-18 = 2018-03
Mar '18 = 2018-03
März 2018 = 2018-03
mars 2018 = 2018-03
березень 2019 = 2019-03
08/2024 = 2024-08
2024-08 = 2024-08
2024/08 = 2024-08
08.2024 = 2024-08
April __, 2001 = 2001-04
2-5 March 2018 = 2018-03-05? 2018-03-02
02/17/20-02/23/20 = 2020-02-17? 2020-02-23
O5/12/2O18 = 2018-12-05? 2018-05-12
14:03:22 = FAIL
tomorrow = FAIL
15 Sha'ban 1445 = FAIL
30 days = FAIL
12/2019/345 = FAIL
5 May '18 = 2018-05-05
21st day of May 1999 = 1999-05-21
Dec 31 1999 = 1999-12-31
1 JAN 2000 = 2000-01-01
29/02/2019 = FAIL
29/02/2020 = 2020-02-29
١٢/٠٣/٢٠٢٤ = 2024-03-12? 2024-12-03
२५ दिसंबर २०१८ = 2018-12-25
2024年三月五日 = 2024-03-05
二〇二四年三月五日 = 2024-03-05
中華民國一一三年三月十二日 = 2024-03-12
113年3月12日 = 2024-03-12
平成31年4月 = 2019-04
113/03/12 = FAIL
12 มีนาคม พ.ศ. 2567 = 2024-03-12
12 มี.ค. 67 = 2024-03-12? 1967-03-12
12/03/2567 = 2024-03-12
2024. 3. 12. = 2024-03-12
12-III-2024 = 2024-03-12
12-mar.-24 = 2024-03-12
mardi 12 mars 2024 = 2024-03-12
20240312T140500 = 2024-03-12
March 12-15, 2024 = 2024-03-12? 2024-03-15
from 12 to 15 March 2024 = 2024-03-15? 2024-03-12
Dec 2023 - Jan 2024 = 2023-12? 2024-01
12 آذار 2024 = 2024-03-12
12 decembre 2024 = 2024-12-12
12 dhjetor 2024 = 2024-12-12
2024. március 12-én = 2024-03-12
יום שלישי 12 במרץ 2024 = 2024-03-12
H1 2019 = FAIL
FY2019 = FAIL
192.168.1.12 = FAIL
0000-00-00 = FAIL
2024-072 = FAIL
the first of May two thousand and ten = 2010-05-01
the tenth day of November, nineteen hundred and ninety-eight = 1998-11-10
Thu Mar 14 10:11:12 CET 2024 = 2024-03-14
March 28 – April 2, 2019 = 2019-04-02? 2019-03-28
am ersten Mai zweitausendzehn = 2010-05-01
vom 1. Januar bis 31. März 2023 = 2023-03-31? 2023-01-01
le premier mai deux mille dix = 2010-05-01
du 1er au 15 mai 2022 = 2022-05-15? 2022-05-01
a dieciséis de marzo de dos mil dieciocho = 2018-03-16
del 1 al 30 de junio de 2021 = 2021-06-30? 2021-06-01
aos quinze dias do mês de junho de 2019 = 2019-06-15
2021. gada 5. aprīlī = 2021-04-05
1 ΙΑΝΟΥΑΡΙΟΥ 2020 = 2020-01-01
15. фебруара 2020. године = 2020-02-15
8. februarja 2020 = 2020-02-08
21 ta' Settembru 2020 = 2020-09-21
2024ko martxoaren 12a = 2024-03-12
5 تشرين الأول 2018 = 2018-10-05
۱ ژانویه ۲۰۲۰ = 2020-01-01
২১ ফেব্রুয়ারি ২০২০ = 2020-02-21
Quý II năm 2022 = 2022-Q2
2022年第三季度 = 2022-Q3
2023년 1분기 = 2023-Q1
Date: 03/04/2024 (DD/MM/YYYY) = 2024-04-03
Date (mm/dd/yyyy): 03/04/2024 = 2024-03-04
DD-MM-YYYY: 01-02-2024 = 2024-02-01
Jan 1 – Mar 31, 2024 = 2024-03-31? 2024-01-01
January to March 2024 = 2024-03? 2024-01
Abrechnung 01.04.–30.04.2024 = 2024-04-30? 2024-04-01
du 1er au 31 mars 2024 = 2024-03-31? 2024-03-01
Primer trimestre de 2024 = 2024-Q1
Del 1 al 15 de marzo de 2024 = 2024-03-15? 2024-03-01
2024. I. negyedév = 2024-Q1
2024. gada 14. martā = 2024-03-14
2024年第一季度 = 2024-Q1
R6.3.14 = 2024-03-14
2024년 2분기 = 2024-Q2
"""

_AMOUNTS = """
9.00 = 9.00 -
RM9.00 = 9.00 MYR
RM 9.00 = 9.00 MYR
MYR 1,234.50 = 1234.50 MYR
1 234.50 = 1234.50 -
5 000 = 5000 -
1 234 567,89 = 1234567.89 -
€ 7 240,43, = 7240.43 EUR
EUR 1 448.09. = 1448.09 EUR
€ 12 345, net = 12345 EUR
1 234,50 kr = 1234.50 -
1 234,50 SEK = 1234.50 SEK
USD 1.5M = 1500000 USD
$1.2 million = 1200000 -
EUR 2,3 Mio. = 2300000 EUR
1,5 Mrd. € = 1500000000 EUR
US$ 3bn = 3000000000 USD
£5m = 5000000 GBP
$10k = 10000 -
5 lakh rupees = 500000 -
₹ 5 lakh = 500000 INR
₹2.5 crore = 25000000 INR
Rs. 1,23,456/- = 123456 -
INR 1,23,456.78 = 123456.78 INR
₹500/- = 500 INR
₹1,00,000.00 = 100000.00 INR
10.000,- = 10000 -
857,39- € = -857.39 EUR
l,234.50 = 1234.50 -
RM 1,O00.00 = 1000.00 MYR
I2.50 = 12.50 -? 2.50 -
S2.50 = 2.50 -? 52.50 -
8S7,00 EUR = 857.00 EUR?
1.2B4,50 = 1284.50 -?
Z.050,88 = 2050.88 -?
55.9b = 55.96 -?
12.50 B = 12.50 -
9.00A = 9.00 -
S$2.50 = 2.50 SGD
|2.50 = 2.50 -
I 2.50 = 2.50 -
8.573,88- EUR = -8573.88 EUR
9.431,27-€ = -9431.27 EUR
120,00 €- = -120.00 EUR
(857,39) € = -857.39 EUR
USD 5.00-coupon = 5.00 USD
12.50- USD 20.00 = 20.00 USD? 12.50 USD
EUR 12,- = 12 EUR
12,-- € = 12 EUR
Fr. 1'234.– = 1234 -
CHF 1'234.50 = 1234.50 CHF
CHF 1’234.50 = 1234.50 CHF
¥10.000 = 10000 JPY? 10000 CNY
¥10,000 = 10000 JPY? 10000 CNY
￥１０，０００ = 10000 JPY? 10000 CNY
10,000円 = 10000 JPY
JPY 10.000 = 10000 JPY
10万円 = 100000 JPY
CN¥ 1,234.50 = 1234.50 CNY
RMB 1,234.50 = 1234.50 CNY
₩1,234,000 = 1234000 KRW
50,000원 = 50000 KRW
Rp 10.000 = 10000 IDR
Rp10.000,50 = 10000.50 IDR
Rp 1.500.000 = 1500000 IDR
1.500.000 ₫ = 1500000 VND
1.500.000đ = 1500000 VND
฿1,234.50 = 1234.50 THB
₱1,234.50 = 1234.50 PHP
S$12.50 = 12.50 SGD
HK$1,234 = 1234 HKD
NT$ 1,234 = 1234 TWD
A$12.50 = 12.50 AUD
C$12.50 = 12.50 CAD
NZ$12.50 = 12.50 NZD
R$ 1.234,50 = 1234.50 BRL
R$ 1.234 = 1234 BRL
MX$1,234.50 = 1234.50 MXN
COL$ 10.000 = 10000 COP
COP 10.000 = 10000 COP
S/ 12.50 = 12.50 PEN
S/. 12.50 = 12.50 PEN
PEN 120.00 = 120.00 PEN
TRY 1.234,50 = 1234.50 TRY
₺1.234,50 = 1234.50 TRY
1.234,50 TL = 1234.50 TRY
BHD 1.234 = 1.234 BHD
KWD 12.345 = 12.345 KWD
12.345 KWD = 12.345 KWD
AED 1,234.50 = 1234.50 AED
SAR 100 = 100 SAR
EGP 1,234.50 = 1234.50 EGP
R 1 234,50 = 1234.50 ZAR
ZAR 1,234.50 = 1234.50 ZAR
KSh 1,500 = 1500 KES
KES 500/= = 500 KES
₦1,234.50 = 1234.50 NGN
GH₵ 12.50 = 12.50 GHS
zł 12,50 = 12.50 PLN
1 234,50 zł = 1234.50 PLN
12,50 Kč = 12.50 CZK
5,- Kč = 5 CZK
5 000 Ft = 5000 HUF
1.234,50 lei = 1234.50 RON
1 234,50 лв. = 1234.50 BGN
1 234,50 руб. = 1234.50 RUB
1 234,50 ₽ = 1234.50 RUB
1 234,50 грн = 1234.50 UAH
1.234,50 kr. = 1234.50 -
NOK 1 234,50 = 1234.50 NOK
DKK 1.234,50 = 1234.50 DKK
1.234,50 € = 1234.50 EUR
€ 1.234,50 = 1234.50 EUR
€1,234.50 = 1234.50 EUR
€ 1.234 = 1234 EUR? 1.234 EUR
1.234,50 EUR = 1234.50 EUR
1 234,50 € = 1234.50 EUR
1 534,9300 = 1534.9300 -
8 881,000 = 8881.000 -
12 345 678,1234 = 12345678.1234 -
1\u00a0234,50\u00a0€ = 1234.50 EUR
1\u202f234,50\u202f€ = 1234.50 EUR
1\u2009234,50 = 1234.50 -
£1,234.50 = 1234.50 GBP
£12·50 = 12.50 GBP
£ 1,234 = 1234 GBP
GBP 1,234.50 = 1234.50 GBP
$1,234.50 = 1234.50 -
$1,234 = 1234 -
$ 1.234,50 = 1234.50 -
US$1,234.50 = 1234.50 USD
USD 1,234.50 = 1234.50 USD
USD $12.00 = 12.00 USD
$279.84 (usd) = 279.84 USD
279.84 US Dollars = 279.84 USD
$ 12.00 CAD = 12.00 CAD
1,234.50 USD = 1234.50 USD
twenty dollars = 20 -
one hundred and twenty dollars = 120 -
one hundred dollars and 50 cents = 100.50 -
Ringgit: one hundred only = 100 MYR
zwanzig Euro = 20 EUR
vingt euros = 20 EUR
99¢ = 0.99 -
50 cents = 0.50 -
(1,234.50) = -1234.50 -
($76.50) = -76.50 -
$(76.50) = -76.50 -
-5.00 = -5.00 -
−5,00 € = -5.00 EUR
-RM 0.02 = -0.02 MYR
RM-0.20 = -0.20 MYR
€ -5,00 = -5.00 EUR
11.60- = -11.60 -
1.234,50- = -1234.50 -
+5.00 = 5.00 -
1,234.50 CR = -1234.50 -? 1234.50 -
1,234.50 DR = 1234.50 -? -1234.50 -
1,234.50 = 1234.50 -
1.234,50 = 1234.50 -
12,34,567.89 = 1234567.89 -
1.234.567 = 1234567 -
1,234,567 = 1234567 -
1'234'567.89 = 1234567.89 -
3.350 = 3.350 -? 3350 -
3,350 = 3350 -? 3.350 -
0.350 = 0.350 -
27,80 = 27.80 -
1234.5 = 1234.5 -
8. 20 = 8.20 -
RM9.OO = 9.00 MYR
28-90 = 28.90 -
27.60 60.60 = 27.60 -? 60.60 -
１２３．４５ = 123.45 -
١٢٣٫٤٥ = 123.45 -
١٬٢٣٤٫٥٠ = 1234.50 -
१२३.४५ = 123.45 -
12⁵⁰ = 12.50 -
TOTAL: RM 9.00 SR = 9.00 MYR
Total 1.234,50 EUR inkl. MwSt = 1234.50 EUR
19% = FAIL
25/12/2018 = FAIL
14:03 = 14.03 -?
1e99 = FAIL
free = FAIL
N/A = FAIL
RM = FAIL
1234567890123456789012345678901234 = FAIL
SDN BHD 9.00 = 9.00 -
RON 120,50 = 120.50 RON
1.5 million = 1500000 -
0,99 € = 0.99 EUR
€0.99 = 0.99 EUR
.50 = 0.50 -
RM.50 = 0.50 MYR
- 5,00 € = -5.00 EUR? 5.00 EUR
1 234:50 kr = 1234.50 -
12:50 kr = 12.50 -
1 234,- NOK = 1234 NOK
1 234-56 руб = 1234.56 RUB
1 234 руб. 56 коп. = 1234.56 RUB
5 000 сум = 5000 UZS
12 345 ₸ за день = 12345 KZT
12 345 F CFA = 12345 -
2.5 mil. = 2500 -? 2500000 -
0,25 ct = 0.0025 -
CR 1,234.50 = -1234.50 -? 1234.50 -
¥1,234- = 1234 JPY? 1234 CNY
$10-$20 = 10 -? 20 -
10 - 20 EUR = 20 EUR? 10 EUR
between 5 and 10 EUR = 10 EUR? 5 EUR
TND 12,345 = 12.345 TND? 12345 TND
100 EUR 19% = 100 EUR
20% of 100 EUR = 100 EUR
US $12.50 = 12.50 USD
$US 12,50 = 12.50 USD
12,50 $ CA = 12.50 CAD
One Thousand Two Hundred Thirty Four and 56/100 Dollars = 1234.56 -
NIS 100 = 100 ILS
Tk 1,500 = 1500 BDT
৳ ১,৫০০.০০ = 1500.00 BDT
₹ १,२३,४५६.७८ = 123456.78 INR
١٬٢٣٤٫٥٠ ر.س = 1234.50 SAR
Gs. 12.345 = 12345 PYG
B/. 12.50 = 12.50 PAB
Br 1,234.50 = 1234.50 -
CLP 12.345 = 12345 CLP
₡12.500,00 = 12500.00 CRC
XAF 12.345 = 12345 XAF
TSh 12,000/= = 12000 TZS
1,234 บาท = 1234 THB
人民币1,234.50元 = 1234.50 CNY
1,234円(税込) = 1234 JPY
twelve hundred dollars = 1200 -
ciento veinte euros = 120 EUR
EUR 12,50 / USD 13,50 = 12.50 EUR? 13.50 USD
1,23,45 = FAIL
1.2345,67 = FAIL
٥٠٠ ريال سعودي = 500 SAR
U.S. $75.00 = 75.00 USD
350.000 đồng = 350000 VND
3 millones de euros = 3000000 EUR
4,2 milliards d'euros = 4200000000 EUR
1,5 tỷ đồng = 1500000000 VND
TEUR 250 = 250000 EUR
R$ 1,5 bilhão = 1500000000 BRL
2 milioni di euro = 2000000 EUR
2억 원 = 200000000 KRW
ten thousand dollars ($10,000) = 10000 -
Fifty Thousand United States Dollars (US$50,000.00) = 50000.00 USD
Indian Rupees Five Thousand Only = 5000 INR
mille deux cents euros = 1200 EUR
trois mille francs suisses = 3000 CHF
quinientos dólares estadounidenses = 500 USD
vinte e cinco reais e cinquenta centavos = 25.50 BRL
12€50 = 12.50 EUR
7 € 20 = 7.20 EUR
149€99 = 149.99 EUR
$99/month = 99 -
Celkem k úhradě: 3 630 Kč = 3630 CZK
Fizetendő: 63 500 Ft = 63500 HUF
USD ****2,750.00**** = 2750.00 USD
Total (CAD): $88.15 = 88.15 CAD
N$ 780.00 = 780.00 NAD
500 Schweizer Franken = 500 CHF
▲5,000円 = -5000 JPY
△12,300円 = -12300 JPY
Celkem k úhradě: 2 999,- Kč = 2999 CZK
Tổng cộng: 550.000 đồng = 550000 VND
新臺幣 3,200 元 = 3200 TWD
港幣 500 元 = 500 HKD
금 550,000원정 = 550000 KRW
T€ 350 = 350000 EUR
999999999999999999999999 million = 999999999999999999999999 -
(500) = -500 -
Loss on property (1,234.50) = -1234.50 -
fifty-five ($55.00) = 55.00 -
(1,234) = -1234 -? -1.234 -
€(5) = -5 EUR
$(76) = -76 -
CR 0.00 = 0.00 -
item (5) = 5 -
350 KEUR = 350000 EUR
€99 /day = 99 EUR
"""

_DURATIONS = """
3O days = P30D?
I2 Tage = P2D? P12D
Z4 weeks = P4W? P24W
three (3) years = P3Y
3 years = P3Y
18 months = P18M
half a year = P6M
half-year = P6M
1 1/2 years = P1Y6M
1½ years = P1Y6M
one and a half years = P1Y6M
a year and a half = P1Y6M
1.5 years = P1Y6M
one hundred twenty days = P120D
one hundred and twenty (120) days = P120D
ninety (90) days = P90D
3-5 years = P3Y? P5Y
two to three years = P2Y? P3Y
30/60 days = P30D? P60D
2 years or 18 months = P2Y? P18M
1 year and 6 months = P1Y6M
2 weeks and 3 days = P17D
zwei Jahre = P2Y
12 Monate = P12M
ein halbes Jahr = P6M
dreißig Tage = P30D
2 ans = P2Y
dix-huit mois = P18M
trois (3) ans = P3Y
2 años = P2Y
seis meses = P6M
2 anni = P2Y
30 giorni = P30D
2 anos = P2Y
twee jaar = P2Y
30 dagen = P30D
dua tahun = P2Y
30 hari = P30D
2 år = P2Y
3 miesiące = P3M
2 года = P2Y
6 месяцев = P6M
3年 = P3Y
6ヶ月 = P6M
30天 = P30D
24 hours = PT24H
a five-year term = P5Y
ten (10) business days = P10D
net 30 days = P30D
the third anniversary of = P3Y
P3Y = P3Y
a year = P1Y
six weeks = P6W
twenty-four months = P24M
indefinitely = FAIL
years = FAIL
0 years = FAIL
2018 = FAIL
between 30 and 60 days = P30D? P60D
sixty (30) days = P30D? P60D
1y 6m = P1Y6M
P1Y2M = P1Y2M
un an et demi = P1Y6M
un año y medio = P1Y6M
un anno e mezzo = P1Y6M
半年 = P6M
三个月 = P3M
2年6ヶ月 = P2Y6M
3 tháng = P3M
6 เดือน = P6M
٣ سنوات = P3Y
2 viikkoa = P2W
30 napos = P30D
3 luni = P3M
5 týdnů = P5W
2 χρόνια = P2Y
12 ay = P12M
1e3 days = FAIL
45 minutes = PT45M
2 hours 30 minutes = PT150M
anderthalb Jahre = P1Y6M
eineinhalb Jahre = P1Y6M
zweieinhalb Jahre = P2Y6M
30 Min. = PT30M
30 gg = P30D
vinte e quatro meses = P24M
anderhalf jaar = P1Y6M
полтора года = P1Y6M
两年 = P2Y
60 gg d.f. = P60D
30 de zile = P30D
10 календарных дней = P10D
3 місяці = P3M
14 pv netto = P14D
30日以内 = P30D
付款期限：45天 = P45D
계약기간: 2년 = P2Y
1 h 45 min = PT105M
45 min. = PT45M
"""

_PERCENTS = """
Z5 % = 5? 25
8,S% = 8.5?
2O% = 20
l9 % = 19? 9
19 % = 19
19% = 19
19,0% = 19.0
8.25 percent = 8.25
8 1/4 % = 8.25
8.25 per cent = 8.25
7 v.H. = 7
20 pour cent = 20
21 por ciento = 21
22 per cento = 22
25 procent = 25
%18 = 18
5-10 % = 5? 10
-2.5 % = -2.5
nineteen percent = 19
VAT 20% = 20
٥٪ = 5
5 ‰ = 0.5
0.19 = 0.19? 19
19 = 19
１９％ = 19
1.500 % = 1.500
none = FAIL
1e9% = FAIL
50 bps = 0.5
25 basis points = 0.25
٥٫٥٪ = 5.5
५% = 5
5 to 10% = 5? 10
"""

_NUMBERS = """
4S4 Stk = 454? 4
S7 x = 7? 57
2S = 2? 25
9g kg = 9? 99
500g = 500
1OO = 100
l2 = 12? 2
5l = 5
3 = 3
12.5 = 12.5
12,5 kg = 12.5
3 pcs = 3
3 Stk. = 3
1 234 = 1234
1.234 = 1.234? 1234
1,234 = 1234? 1.234
1,234.5 = 1234.5
-3 = -3
12,50- = -12.50
12 - = 12
12- 14 = 12? 14
1/2 = 0.5
2 1/2 = 2.5
½ = 0.5
three = 3
zwölf = 12
２５ = 25
٢٥ = 25
5² = FAIL
1e9 = FAIL
3 x 4 = 3? 4
none = FAIL
12/05/2018 = FAIL
1'000 = 1000
12 - 15 = 12? 15
minus 5 = -5
1.5 million = 1500000
2k = 2000? 2
12,34,567 = 1234567
१२३ = 123
12:30 = FAIL
100 m² = 100
25 m² = 25
Fläche: 12,5 m² = 12.5
999999999999999999999999 million = 999999999999999999999999
"""

_BOOLEANS = """
yes = True
Y = True
No = False
oui = True
nein = False
Ja = True
sí = True
não = False
tidak = False
да = True
нет = False
はい = True
否 = False
☒ = True
☑ = True
☐ = False
[x] = True
[ ] = False
X = True
☒ Yes ☐ No = True
☐ Yes ☒ No = False
Yes ☒ No ☐ = True
✓ = True
perhaps = FAIL
2018 = FAIL
O = True? False
n/a = FAIL
oui/non = FAIL
✗ = FAIL
हाँ = True
όχι = False
[X] Yes [ ] No = True
כן = True
"""

_COUNTRIES = """
Germany = DE
Deutschland = DE
Allemagne = DE
DE = DE
DEU = DE
USA = US
U.S.A. = US
United States = US
UNITED STATES OF AMERICA = US
UK = GB
England = GB
Great Britain = GB
Niederlande = NL
The Netherlands = NL
España = ES
Österreich = AT
Schweiz = CH
Suisse = CH
Malaysia = MY
Singapura = SG
日本 = JP
中国 = CN
Россия = RU
Ελλάδα = GR
Polska = PL
Türkiye = TR
Turkey = TR
Côte d’Ivoire = CI
Czech Republic = CZ
Hong Kong = HK
Viet Nam = VN
Congo = CG? CD
Country: France = FR
Atlantis = FAIL
The United Kingdom = GB
臺灣 = TW
香港 = HK
대한민국 = KR
Estados Unidos = US
Berlin = FAIL
Europe = FAIL
Swaziland = SZ
Российская Федерация = RU
n/a = FAIL
République française = FR
Elfenbeinküste = CI
日本国 = JP
Schweiz / Suisse / Svizzera = CH
"""

_PHONES = """
+49 30 9018Z0 = +4930901820? +493090180
+49 30 901820 = +4930901820
+49 (0)30 901820 = +4930901820
0049 30 901820 = +4930901820
Tel: +60 3-2161 8000 = +60321618000
+1 (212) 555-0123 = +12125550123
+1 (012) 555-0123 = FAIL
+1 (212) 736-5000 = +12127365000
(212) 736-5000 = +12127365000?
Phone: 212-736-5000 = +12127365000?
+44 20 7946 0958 = +442079460958
+33 1 42 68 53 00 = +33142685300
+81 3-3211-0001 = +81332110001
+1 212 736 5000 ext. 12 = +12127365000
03-2161 8000 = FAIL
+49 123 = FAIL
030 901820 = FAIL
no phone = FAIL
+91 98765 43210 = +919876543210
٠٠٩٦٦ ١١ ٤٠١ ٢٢٢٢ = +966114012222
+44 (0) 20 7946 0958 = +442079460958
8 (495) 123-45-67 = FAIL
1-800-FLOWERS = FAIL
001 305 555 0188 = +13055550188
+86 138 0013 8000 = +8613800138000
"""

_EMAILS = """
info@example.org = info@example.org
E-Mail: Info@Example.ORG = Info@example.org
<jane.doe+x@mail.example.co.uk> = jane.doe+x@mail.example.co.uk
mailto:info@example.org = info@example.org
info @ example.org = info@example.org
a@example.org, b@example.org = a@example.org? b@example.org
info@example = FAIL
@example.org = FAIL
www.example.org = FAIL
a..b@example.org = FAIL
o'brien@example.ie = o'brien@example.ie
"""

_IBANS = """
DE89 3704 0044 0532 0130 00 = DE89370400440532013000
IBAN: DE89370400440532013000 = DE89370400440532013000
IBAN DE89 3704 0044 0532 0130 00 BIC COBADEFFXXX = DE89370400440532013000
GB29 NWBK 6016 1331 9268 19 = GB29NWBK60161331926819
FR14 2004 1010 0505 0001 3M02 606 = FR1420041010050500013M02606
NL91 ABNA 0417 1643 00 = NL91ABNA0417164300
CH93 0076 2011 6238 5295 7 = CH9300762011623852957
DE88 3704 0044 0532 0130 00 = FAIL
DE89 37O4 0044 0532 0130 00 = DE89370400440532013000
DE89 3704 0044 0532 01 = FAIL
12345678 = FAIL
BE68 5390 0754 7034 = BE68539007547034
SA03 8000 0000 6080 1016 7519 = SA0380000000608010167519
MT84 MALT 0110 0001 2345 MTLC AST0 01S = MT84MALT011000012345MTLCAST001S
ES91 2100 0418 4502 0005 1333 = FAIL
be71 0961 2345 6769 = BE71096123456769
se45 5000 0000 0583 9825 7466 = SE4550000000058398257466
"""

_TAX_IDS = """
GB 98O 7806 84 = GB980780684?
DE13669S975 = FAIL
DE136695976 = DE136695976
USt-IdNr.: DE 136695976 = DE136695976
DE136695978 = FAIL
VAT No. GB 980 7806 84 = GB980780684
GB980780683 = FAIL
FR40303265045 = FR40303265045
TVA FR 40 303 265 045 = FR40303265045
ATU13585627 = ATU13585627
NL004495445B01 = NL004495445B01
ESB58378431 = ESB58378431
IT00743110157 = IT00743110157
PL8567346215 = PL8567346215
EL094259216 = EL094259216
CHE-107.787.577 IVA = CHE107787577IVA
12-3456789 = 123456789
27AAPFU0939F1ZV = 27AAPFU0939F1ZV
27AAPFU0939F1ZX = FAIL
16.727.230/0001-97 = 16727230000197
16.727.230/0001-98 = FAIL
136695976 = 136695976?
none = FAIL
BE 0403.019.261 = BE0403019261
SE556188840401 = SE556188840401
NO 974 760 673 MVA = 974760673MVA
51 824 753 556 = 51824753556?
CIF B-58378431 = B58378431?
ИНН 7707083893 = 7707083893?
"""

_NAMES = """
*ABC  SDN. BHD.* = ABC SDN. BHD.
/s/ Jane Doe = Jane Doe
Ｎｉｋｅ Inc. = Nike Inc.
ﬁrst Bank = first Bank
Müller & Söhne GmbH, = Müller & Söhne GmbH
-- = FAIL
/S/ = FAIL
"""

_IDENTIFIERS = """
Invoice No: 12 / 3 = 12/3
#4711 = 4711
Rechnungsnr.: RE-2018-001 = RE-2018-001
+49 30 901820 = +4930901820
IBAN DE89370400440532013000 = DE89370400440532013000
272355 / 3 = 272355/3
N° de facture : F-2018-12 = F-2018-12
-- = FAIL
Rechnungs-Nr. 4711 = 4711
Kd.-Nr.: K10023 = K10023
Facture n° F2024-0312 = F2024-0312
Fattura n. 123/A = 123/A
Nota Fiscal nº 000.123.456 = 000.123.456
Fakturanr. 88123 = 88123
Faktura č. 2024010023 = 2024010023
Auftragsnummer 5500123 = 5500123
Rechnungs-Nr.: RE-2024/0815 = RE-2024/0815
Facture n° F2024-117 = F2024-117
Fakturanummer 100457 = 100457
"""

_OF = {
    Kind.DATE: _DATES,
    Kind.AMOUNT: _AMOUNTS,
    Kind.DURATION: _DURATIONS,
    Kind.PERCENT: _PERCENTS,
    Kind.NUMBER: _NUMBERS,
    Kind.BOOLEAN: _BOOLEANS,
    Kind.COUNTRY: _COUNTRIES,
    Kind.PHONE: _PHONES,
    Kind.EMAIL: _EMAILS,
    Kind.IBAN: _IBANS,
    Kind.TAX_ID: _TAX_IDS,
    Kind.NAME: _NAMES,
    Kind.IDENTIFIER: _IDENTIFIERS,
}

_COMMAS, _POINTS = DocumentContext(decimal=","), DocumentContext(decimal=".")
_DAY, _MONTH = DocumentContext(day_first=True), DocumentContext(day_first=False)
_GERMAN, _MALAYSIAN = DocumentContext(country="DE"), DocumentContext(country="MY")
_HINT_MYR: dict[str, Any] = {"currency": "MYR"}
_IN_CONTEXT = [
    # A model's hint is a tie-break: what is printed and what the page shows come first.
    Row(Kind.AMOUNT, "$279.84", "279.84 -", hints=_HINT_MYR),
    Row(Kind.AMOUNT, "279.84 US Dollars", "279.84 USD", hints=_HINT_MYR),
    Row(Kind.AMOUNT, "279.84 (usd)", "279.84 USD", hints=_HINT_MYR),
    Row(Kind.AMOUNT, "1 234,50 kr", "1234.50 -", hints=_HINT_MYR),
    Row(Kind.AMOUNT, "Fr. 12.50", "12.50 -", hints=_HINT_MYR),
    Row(Kind.AMOUNT, "9.00", "9.00 MYR? 9.00 -", hints=_HINT_MYR),
    Row(Kind.AMOUNT, "9.00", "9.00 MYR", _MALAYSIAN, _HINT_MYR),
    Row(Kind.AMOUNT, "9.00", "9.00 EUR", _GERMAN, _HINT_MYR),
    Row(Kind.AMOUNT, "9.00", "9.00 EUR", _GERMAN),
    Row(Kind.AMOUNT, "$9.00", "9.00 -", _MALAYSIAN),
    Row(Kind.AMOUNT, "9.00", "9.00 EUR", DocumentContext(currency="EUR"), _HINT_MYR),
    Row(Kind.AMOUNT, "9.00", "9.00 -", DocumentContext(named=frozenset({"EUR", "USD"})), _HINT_MYR),
    Row(Kind.AMOUNT, "9.00", "9.00 -", DocumentContext(signs=("USD", "CAD")), _HINT_MYR),
    Row(Kind.AMOUNT, "$9.00", "9.00 USD", hints={"currency": "USD"}),
    Row(Kind.AMOUNT, "$9.00", "9.00 CAD", DocumentContext(country="CA"), {"currency": "USD"}),
    Row(Kind.AMOUNT, "$9.00", "9.00 CAD", DocumentContext(named=frozenset({"CAD"}))),
    Row(Kind.AMOUNT, "9,00 kr", "9.00 SEK", DocumentContext(country="SE")),
    Row(Kind.AMOUNT, "¥10,000", "10000 JPY", DocumentContext(country="JP")),
    Row(Kind.AMOUNT, "$1,234", "1234 -? 1.234 -", _COMMAS),
    Row(Kind.AMOUNT, "3.350", "3350 -", _COMMAS),
    Row(Kind.AMOUNT, "3.350", "3.350 -", _POINTS),
    Row(Kind.AMOUNT, "€ 1.234", "1234 EUR", _COMMAS),
    Row(Kind.DATE, "3/4/2018", "2018-04-03? 2018-03-04", hints={"day_first": True}),
    Row(Kind.DATE, "3/4/2018", "2018-03-04? 2018-04-03", hints={"day_first": False}),
    Row(Kind.DATE, "3/4/2018", "2018-03-04", _MONTH, {"day_first": True}),
    Row(Kind.DATE, "3/4/2018", "2018-04-03", _DAY, {"day_first": False}),
    Row(Kind.DATE, "24/03/12", "2024-03-12? 2012-03-24", DocumentContext(country="JP")),
    Row(Kind.DATE, "24-03-12", "2024-03-12? 2012-03-24", DocumentContext(country="SE")),
    Row(Kind.PHONE, "030 901820", "+4930901820", _GERMAN),
    Row(Kind.PHONE, "03-2161 8000", "+60321618000", _MALAYSIAN),
    Row(Kind.PHONE, "03-2161 8000", "+60321618000?", hints={"country": "MY"}),
    Row(Kind.TAX_ID, "136695976", "136695976", _GERMAN),
    Row(Kind.TAX_ID, "136695978", FAIL, _GERMAN),
    Row(Kind.NUMBER, "1.234", "1234", _COMMAS),
]  # fmt: skip


def rows() -> Iterator[Row]:
    """Yield all rows."""
    for kind, table in _OF.items():
        for line in filter(None, table.splitlines()):
            text, _, value = line.rpartition(" = ")
            yield Row(kind, text, value)
    yield from _IN_CONTEXT
