"""Addresses of many countries to their parts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.values.normalise import DocumentContext, normalise
from pipeline.values.schema import FieldSpec, Kind
from pipeline.values.texts.address_parts import parse_address


@pytest.mark.parametrize(
    ("address", "parts"),
    [
        ("Hauptstraße 12a|10115 Berlin", "12a / Hauptstraße / 10115 / Berlin / - / -"),
        ("Am Alten Markt 1 – 3 ∙ 50667 Köln", "1 – 3 / Am Alten Markt / 50667 / Köln / - / -"),
        (
            "Industriestr. 12-14 Halle 3|76189 Karlsruhe",
            "12-14 / Industriestr. / 76189 / Karlsruhe / - / -",
        ),
        ("An der Halle 400, 04159 Leipzig", "400 / An der Halle / 04159 / Leipzig / - / -"),
        ("Via Torre 12, 20100 Milano", "12 / Via Torre / 20100 / Milano / - / IT"),
        (
            "Paseo de la Castellana 259, Torre B, 28046 Madrid",
            "259 / Paseo de la Castellana / 28046 / Madrid / - / ES",
        ),
        (
            "ul. Prosta 12lok.5, 00-950 Warszawa",
            "5 / ul. Prosta 12lok. / 00-950 / Warszawa / - / PL",
        ),
        ("Laugavegur 18, 101 Reykjavík", "18 / Laugavegur / 101 / Reykjavík / - / IS"),
        (
            "Via dell'Industria s.n.c., 36100 Vicenza",
            "- / Via dell'Industria s.n.c. / 36100 / Vicenza / - / IT",
        ),
        (
            "8OO Market St, San Francisco, CA 94lO2",
            "800 / Market St / 94102 / San Francisco / CA / US",
        ),
        (
            "Church Lane, Silver Spring, MD 20910",
            "- / Church Lane / 20910 / Silver Spring / MD / US",
        ),
        (
            "2 Mill Row, Skipton North Yorkshire BD23 1AB",
            "2 / Mill Row / BD23 1AB / Skipton / North Yorkshire / GB",
        ),
        ("9 Quay St, Kinsale, County Cork", "9 / Quay St / - / Kinsale / County Cork / IE"),
        (
            "Abteistr. 9, 50667 Köln, USt-IdNr. DE 136 695 976",
            "9 / Abteistr. / 50667 / Köln / - / -",
        ),
        ("P.O. Box 4321, Dar es Salaam, Tanzania", "- / - / - / Dar es Salaam / - / TZ"),
        (
            "10 Anson Road #21-07 International Plaza Singapore 079903",
            "10 / Anson Road / 079903 / Singapore / - / SG",
        ),
        (
            "1000 Ala Moana Blvd #210 Honolulu HI 96814",
            "1000 / Ala Moana Blvd / 96814 / Honolulu / HI / US",
        ),
        (
            "1/15 George St, Brisbane City QLD 4000",
            "1/15 / George St / 4000 / Brisbane City / QLD / AU",
        ),
        (
            "Via dell'Industria snc, 36100 Vicenza VI",
            "- / Via dell'Industria snc / 36100 / Vicenza / VI / IT",
        ),
        (
            "7 Ben Yehuda Street, Jerusalem 9462301, Israel",
            "7 / Ben Yehuda Street / 9462301 / Jerusalem / - / IL",
        ),
        ("Av. Brasil 5, Trinidad", "5 / Av. Brasil / - / Trinidad / - / -"),
        ("12 Main Street, Boston 5551234", "12 / Main Street / - / - / - / -"),
        ("P.O. Box 1234567, Nairobi", "- / - / - / - / - / -"),
        ("P.O. Box 30197, Loita Street, Kenya", "- / Loita Street / - / - / - / KE"),
        ("P.O. Box 99, Acme Trading Co, Kenya", "- / - / - / - / - / KE"),
        ("P.O. Box 9, Head Office, Kenya", "- / - / - / - / - / KE"),
        ("10 Tech Park Avenue, PO-BUYER-7788", "10 / Tech Park Avenue / - / - / - / -"),
        ("Flat-1204, Tower B, Noida 201301", "- / - / 201301 / Noida / - / -"),
        ("Москва, м. Тверская, ул. Тверская 7", "7 / ул. Тверская / - / - / - / -"),
        ("м. Київ, вул. Хрещатик 1, 01001", "1 / вул. Хрещатик / 01001 / Київ / - / UA"),
        ("Plot 1234, Lugogo Bypass, Kampala", "1234 / - / - / - / - / -"),
        ("No. 45, Anawrahta Road, Yangon, Myanmar", "45 / Anawrahta Road / - / Yangon / - / MM"),
        ("House 12, Road 5, Dhaka-1205, Bangladesh", "12 / Road 5 / 1205 / Dhaka / - / BD"),
        (
            "Кыргызская Республика, г. Бишкек, ул. Киевская 95",
            "95 / ул. Киевская / - / Бишкек / - / KG",
        ),
        (
            "г. Москва, ул. Тверская, д. 7, 125009",
            "7 / ул. Тверская / 125009 / Москва / - / RU",
        ),
        (
            "191025, Санкт-Петербург, Невский пр., д. 28",
            "28 / Невский пр. / 191025 / Санкт-Петербург / - / RU",
        ),
        (
            "100 Queen Street West, Toronto, Ontario, Canada M5H 2N2",
            "100 / Queen Street West / M5H 2N2 / Toronto / Ontario / CA",
        ),
        (
            "Rue du Rhône 65, CH-1204 Genève CHE-107.787.577 MWST",
            "65 / Rue du Rhône / 1204 / Genève / - / CH",
        ),
        (
            "İstiklal Cad. No:45 K:3 Beyoğlu 34430 İstanbul",
            "45 / İstiklal Cad. / 34430 / İstanbul / - / TR",
        ),
        (
            "Jasola, New Delhi 110025 GSTIN 07AAACD1234A1Z5",
            "- / - / 110025 / New Delhi / - / IN",
        ),
        (
            "123/45 ถนนสุขุมวิท แขวงคลองเตย เขตคลองเตย กรุงเทพมหานคร 10110",
            "123/45 / ถนนสุขุมวิท / 10110 / กรุงเทพมหานคร / - / TH",
        ),
        ("Atatürk Cad. No: 45/3 Kadıköy", "45/3 / Atatürk Cad. / - / Kadıköy / - / -"),
        (
            "Desk No 5 Main Street, London E1 6AN",
            "- / Desk No 5 Main Street / E1 6AN / London / - / GB",
        ),
        ("P.O. Box 30197-00100 Nairobi, Kenya", "- / - / 00100 / Nairobi / - / KE"),
        (
            "Musterfirma GmbH, Lange Str. 5, D-80331 München",
            "5 / Lange Str. / 80331 / München / - / DE",
        ),
        ("350 Fifth Avenue|New York, NY 10118", "350 / Fifth Avenue / 10118 / New York / NY / US"),
        (
            "1600 Pennsylvania Ave NW, Washington, DC 20500, USA",
            "1600 / Pennsylvania Ave NW / 20500 / Washington / DC / US",
        ),
        (
            "10 Downing Street, London SW1A 2AA, United Kingdom",
            "10 / Downing Street / SW1A 2AA / London / - / GB",
        ),
        (
            "12, rue de la Paix|75002 Paris|France",
            "12 / rue de la Paix / 75002 / Paris / - / FR",
        ),
        (
            "Calle Mayor 5, 28013 Madrid, España",
            "5 / Calle Mayor / 28013 / Madrid / - / ES",
        ),
        ("Via Roma 12, 00184 Roma RM, Italia", "12 / Via Roma / 00184 / Roma / RM / IT"),
        (
            "Keizersgracht 123, 1015 CJ Amsterdam",
            "123 / Keizersgracht / 1015 CJ / Amsterdam / - / NL",
        ),
        (
            "1 Martin Place, Sydney NSW 2000, Australia",
            "1 / Martin Place / 2000 / Sydney / NSW / AU",
        ),
        (
            "111 Wellington St, Ottawa ON K1A 0A9, Canada",
            "111 / Wellington St / K1A 0A9 / Ottawa / ON / CA",
        ),
        (
            "Av. Paulista 1000, São Paulo - SP, 01310-100, Brasil",
            "1000 / Av. Paulista / 01310-100 / São Paulo / SP / BR",
        ),
        (
            "119021, г. Москва, ул. Льва Толстого, д. 16",
            "16 / ул. Льва Толстого / 119021 / Москва / - / RU",
        ),
        (
            "вул. Хрещатик, 22, м. Київ, 01001",
            "22 / вул. Хрещатик / 01001 / Київ / - / UA",
        ),
        ("ul. Długa 5, 00-238 Warszawa", "5 / ul. Długa / 00-238 / Warszawa / - / PL"),
        (
            "NO. 343, JALAN SS 22/19, DAMANSARA JAYA, 47400 PETALING JAYA, SELANGOR, MALAYSIA",
            "343 / JALAN SS 22/19 / 47400 / PETALING JAYA / SELANGOR / MY",
        ),
        ("10 Anson Road, Singapore 079903", "10 / Anson Road / 079903 / Singapore / - / SG"),
        (
            "Plot 5, MG Road, Bengaluru 560001, Karnataka, India",
            "5 / MG Road / 560001 / Bengaluru / Karnataka / IN",
        ),
        ("Maartenbaan 38, 5537, Waremme", "38 / Maartenbaan / 5537 / Waremme / - / -"),
        ("Georgesring 199 . 9778 . Focant", "199 / Georgesring / 9778 / Focant / - / -"),
        (
            "12 High Street|Sydney|2000|Australia",
            "12 / High Street / 2000 / Sydney / - / AU",
        ),
        ("somewhere", "- / - / - / - / - / -"),
    ],
)
def test_parts(address: str, parts: str) -> None:
    found = parse_address(address.split("|"))
    shown = [found.house_number, found.street, found.postcode, found.city, found.region]
    assert " / ".join(part or "-" for part in (*shown, found.country)) == parts


@pytest.mark.parametrize(
    ("address", "parts"),
    [
        # what is no part: names, captions, people, phones, numbers of taxes
        (
            "Bill to:|St. Mary Motors|Attn: R. Cole|41 Quarry Rd|Macon, GA 31201|Fax 478.555.0142",
            "41 / Quarry Rd / 31201 / Macon / GA / US",
        ),
        (
            "Praxis Dr. Ute Ring|c/o Haus am Park|Wiesenweg 7 b|99084 Erfurt|USt-IdNr. DE812345678",
            "7 b / Wiesenweg / 99084 / Erfurt / - / -",
        ),
        (
            "Kedai Roti Aman|NO 8, JALAN INAI 4|86000 KLUANG|TEL: 07-771 2345",
            "8 / JALAN INAI 4 / 86000 / KLUANG / - / MY",
        ),
        ("12 Elm Road, off Mill Lane, Ely CB7 4AA", "12 / Elm Road / CB7 4AA / Ely / - / GB"),
        # boxes, suites, floors
        ("Box 77|903 21 Umeå", "- / - / 903 21 / Umeå / - / -"),
        (
            "310 PINE AVE APT 9C #4|BOISE ID 83702",
            "310 / PINE AVE / 83702 / BOISE / ID / US",
        ),
        ("Lindengasse 9 Top 12, 1070 Wien", "9 / Lindengasse / 1070 / Wien / - / -"),
        (
            "ul. Lipowa 3 m. 7, 15-424 Białystok",
            "3 / ul. Lipowa / 15-424 / Białystok / - / PL",
        ),
        ("Unit 2/19 Wattle St|Perth WA 6000", "19 / Wattle St / 6000 / Perth / WA / AU"),
        (
            "Office 12, Pearl Tower, Marina Road, PO Box 9001, Dubai, U.A.E.",
            "- / Marina Road / - / Dubai / - / AE",
        ),
        # numbers of houses
        ("6 ter rue du Puits|51100 Reims", "6 ter / rue du Puits / 51100 / Reims / - / -"),
        ("Via Alba n. 12/C, 12100 Cuneo (CN)", "12/C / Via Alba / 12100 / Cuneo / CN / IT"),
        ("Singel 40-II|1015 AB Amsterdam", "40-II / Singel / 1015 AB / Amsterdam / - / NL"),
        ("87 1/2 Oak St, Reno, NV 89501", "87 1/2 / Oak St / 89501 / Reno / NV / US"),
        ("905 3rd Ave, Fargo, ND 58102", "905 / 3rd Ave / 58102 / Fargo / ND / US"),
        (
            "9610 45 Avenue NW|Edmonton, Alberta T6E 5V3",
            "9610 / 45 Avenue NW / T6E 5V3 / Edmonton / Alberta / CA",
        ),
        ("Rua do Sol, n.º 4 - 1.º Esq.|8000-250 Faro", "4 / Rua do Sol / 8000-250 / Faro / - / PT"),
        ("Gül Sok. No:14 Kat:2, 06420 Ankara", "14 / Gül Sok. / 06420 / Ankara / - / TR"),
        ("D.No.7-3-11, Lake Road, Guntur-522002", "7-3-11 / Lake Road / 522002 / Guntur / - / -"),
        (
            "Jl. Melati No. 5, Bandung 40115, Jawa Barat",
            "5 / Jl. Melati / 40115 / Bandung / Jawa Barat / ID",
        ),
        ("č.p. 31|378 81 Slavonice", "31 / - / 378 81 / Slavonice / - / -"),
        # postcodes
        ("Ulmenallee3|6020Innsbruck", "3 / Ulmenallee / 6020 / Innsbruck / - / -"),
        ("77 Hill St,Reno,NV89501", "77 / Hill St / 89501 / Reno / NV / US"),
        ("4 Quay Street, Sligo, F91 X2C4", "4 / Quay Street / F91 X2C4 / Sligo / - / IE"),
        ("Patission 80, GR-104 34 Athens", "80 / Patission / 104 34 / Athens / - / GR"),
        ("Elvegata 2, N-4614 Kristiansand", "2 / Elvegata / 4614 / Kristiansand / - / NO"),
        ("6722 Szeged, Tisza u. 5.", "5 / Tisza u. / 6722 / Szeged / - / HU"),
        (
            "14, Beach Road, Chennai - 600 041, Tamil Nadu",
            "14 / Beach Road / 600 041 / Chennai / Tamil Nadu / IN",
        ),
        ("1200 NE Grand St|Salem, OR 97301", "1200 / NE Grand St / 97301 / Salem / OR / US"),
        # countries and regions
        ("Javorová 4|010 01 Žilina|Slovenská republika", "4 / Javorová / 010 01 / Žilina / - / SK"),
        (
            "No. 9, Minquan Rd.|Taichung City 400|Taiwan (R.O.C.)",
            "9 / Minquan Rd. / 400 / Taichung City / - / TW",
        ),
        ("5 Park St, Truro, Cornwall TR1 2AB, GB", "5 / Park St / TR1 2AB / Truro / Cornwall / GB"),
        ("Calle Sol 8|44600 Guadalajara, Jal.", "8 / Calle Sol / 44600 / Guadalajara / Jal / MX"),
        (
            "Rua Azul, 90 - Manaus/AM - CEP 69005-010",
            "90 / Rua Azul / 69005-010 / Manaus / AM / BR",
        ),
        ("18 Cedar Ave, Macon, Georgia 31201", "18 / Cedar Ave / 31201 / Macon / Georgia / US"),
        ("3 Kings Road, Yeovil, Somerset", "3 / Kings Road / - / Yeovil / Somerset / GB"),
        (
            "NO 4, JALAN ROS, 43000 KAJANG SELANGOR D.E.",
            "4 / JALAN ROS / 43000 / KAJANG / SELANGOR D.E / MY",
        ),
        (
            "12 Soi Ari, Phaya Thai District, Bangkok 10400",
            "12 / Soi Ari / 10400 / Bangkok / - / TH",
        ),
        (
            "9 rue Saint-Jean, Québec (Québec) G1R 1S4",
            "9 / rue Saint-Jean / G1R 1S4 / Québec / Québec / CA",
        ),
        ("An der Alster 3 / 2. OG|20099 Hamburg", "3 / An der Alster / 20099 / Hamburg / - / -"),
        (
            "Bulevar kralja Aleksandra 73, 11120 Beograd, Srbija",
            "73 / Bulevar kralja Aleksandra / 11120 / Beograd / - / RS",
        ),
        (
            "12 Rue Ibn Batouta, 20000 Casablanca, Maroc",
            "12 / Rue Ibn Batouta / 20000 / Casablanca / - / MA",
        ),
        (
            "гр. Пловдив 4000, ул. „Гладстон“ No 12",
            "12 / ул. „Гладстон“ / 4000 / Пловдив / - / -",
        ),
        (
            "Tisza Zrt.|6720 Szeged|Kárász utca 12. II/4.",
            "12 / Kárász utca / 6720 / Szeged / - / HU",
        ),
        (
            "Россия, 190000, г. Санкт-Петербург, Невский проспект, дом 28, офис 4",
            "28 / Невский проспект / 190000 / Санкт-Петербург / - / RU",
        ),
        ("101000, Москва, ул. Мясницкая, д. 20", "20 / ул. Мясницкая / 101000 / Москва / - / RU"),
        ("Τσιμισκή 77, Θεσσαλονίκη 546 22", "77 / Τσιμισκή / 546 22 / Θεσσαλονίκη / - / GR"),
        ("רחוב הרצל 15, תל אביב 6688312", "15 / רחוב הרצל / 6688312 / תל אביב / - / IL"),
        ("شارع مكة 12, عمان", "12 / شارع مكة / - / عمان / - / -"),  # Amman, as Oman is written
        ("Pilies g. 10, Vilnius, LT-01123", "10 / Pilies g. / 01123 / Vilnius / - / LT"),
        ("Plaza Mayor s/n, 37001 Salamanca", "- / Plaza Mayor / 37001 / Salamanca / - / ES"),
        ("P.O. Box 12345, Dubai, United Arab Emirates", "- / - / - / Dubai / - / AE"),
        (
            "25 Nguyễn Huệ, Quận 1, TP. Hồ Chí Minh, Việt Nam",
            "25 / Nguyễn Huệ / - / Hồ Chí Minh / - / VN",
        ),
        (
            "CV Maju|Jl. Sudirman Kav. 52-53|Jakarta Selatan 12190|Indonesia",
            "52-53 / Jl. Sudirman / 12190 / Jakarta Selatan / - / ID",
        ),
        (
            "〒530-0001 大阪府大阪市北区梅田3-1-3",
            "3-1-3 / 梅田 / 530-0001 / 大阪市北区 / 大阪府 / JP",
        ),
        ("〒299-0111|千葉県市原市姉崎5-3", "5-3 / 姉崎 / 299-0111 / 市原市 / 千葉県 / JP"),
        ("上海市浦东新区世纪大道100号 200120", "100 / 世纪大道 / 200120 / 上海市 / - / CN"),
        (
            "广东省深圳市南山区科技园南路12号 518057",
            "12 / 科技园南路 / 518057 / 深圳市 / 广东省 / CN",
        ),
        ("110 台北市信義區信義路五段7號", "7 / 信義路五段 / 110 / 台北市 / - / TW"),
        ("경기도 성남시 분당구 판교역로 235", "235 / 판교역로 / - / 성남시 / 경기도 / KR"),
        ("Masarykova 5, 702 00 Ostrava, ČR", "5 / Masarykova / 702 00 / Ostrava / - / CZ"),
        ("55 Lake St Duluth MN 55802 USA", "55 / Lake St / 55802 / Duluth / MN / US"),
        ("King Fahd Rd, Riyadh 12214-3847", "- / King Fahd Rd / 12214-3847 / Riyadh / - / -"),
        (
            "King Fahd Rd, Riyadh 12214-3847, Saudi Arabia",
            "- / King Fahd Rd / 12214-3847 / Riyadh / - / SA",
        ),
        ("ул. Тверская, д. 7, Москва, 125009", "7 / ул. Тверская / 125009 / - / Москва / RU"),
        ("서울시 종로구 세종대로 209 (03171)", "209 / 세종대로 / 03171 / 서울시 / - / KR"),
        # The postcode of a box behind its number, and the city in the next line
        ("P.O. Box 42841 - 00100 GPO, Nairobi", "- / - / 00100 / Nairobi / - / -"),
        (
            "Mombasa Road|P. O. Box 18033-00500|Nairobi, Kenya",
            "- / Mombasa Road / 00500 / Nairobi / - / KE",
        ),
        (
            "HaYarkon 88, P.O.B. 3456, Tel Aviv 6343222, Israel",
            "88 / HaYarkon / 6343222 / Tel Aviv / - / IL",
        ),
        # Korea in Latin letters
        (
            "152, Teheran-ro, Gangnam-gu, Seoul 06236, Republic of Korea",
            "152 / Teheran-ro / 06236 / Seoul / - / KR",
        ),
        (
            "38 Yeoksam-ro 7-gil, Gangnam-gu, Seoul, Korea (06244)",
            "38 / Yeoksam-ro 7-gil / 06244 / Seoul / - / KR",
        ),
        # Corners
        ("Ermou 23 & Nikis 2, 105 63 Athens", "23 / Ermou / 105 63 / Athens / - / -"),
        ("Route 9 & Main St, Wall, NJ 07719", "- / Route 9 & Main St / 07719 / Wall / NJ / US"),
        ("Plot 12 and House, Ring Road, Accra", "- / Ring Road / - / Accra / - / -"),
        (
            "18 de Julio 1234 esq. Ejido, 11100 Montevideo, Uruguay",
            "1234 / 18 de Julio / 11100 / Montevideo / - / UY",
        ),
        (
            "Số 18, Ngõ 45, Phố Trần Thái Tông, Hà Nội, Việt Nam",
            "18 / Phố Trần Thái Tông / - / Hà Nội / - / VN",
        ),
        (
            "2 Đường Hải Triều, Quận 1, Thành phố Hồ Chí Minh",
            "2 / Đường Hải Triều / - / Hồ Chí Minh / - / -",
        ),
        (
            "D-14, Sector 63, Noida, Uttar Pradesh - 201301",
            "D-14 / - / 201301 / Noida / Uttar Pradesh / IN",
        ),
        (
            "Str. Lipscani nr. 10, București, sector 3, 030031",
            "10 / Str. Lipscani / 030031 / București / - / -",
        ),
        (
            "Av. das Nações Unidas, nº 12.901, São Paulo/SP, 04578-910",
            "12.901 / Av. das Nações Unidas / 04578-910 / São Paulo / SP / BR",
        ),
        ("al. Krakowska 40, 05-552, Polska", "40 / al. Krakowska / 05-552 / - / - / PL"),
        (
            "Jl. Gatot Subroto No.18 RT 03 RW 02, Bandung 40262, Jawa Barat",
            "18 / Jl. Gatot Subroto / 40262 / Bandung / Jawa Barat / ID",
        ),
        (
            "'s-Gravenweg 665, 3065 SC Rotterdam",
            "665 / 's-Gravenweg / 3065 SC / Rotterdam / - / NL",
        ),
        (
            "KUNDENWEG 88|DE 40235 DUESSELDORF",
            "88 / KUNDENWEG / 40235 / DUESSELDORF / - / DE",
        ),
        (
            "Rue de la Loi 16, BE 1000 Bruxelles",
            "16 / Rue de la Loi / 1000 / Bruxelles / - / BE",
        ),
        ("100 Main St|Wilmington|DE 19801", "100 / Main St / 19801 / Wilmington / DE / US"),
        (
            "NO 1234 JALAN BUKIT, 81100 JOHOR BAHRU",
            "1234 / JALAN BUKIT / 81100 / JOHOR BAHRU / - / MY",
        ),
    ],
)
def test_customs_of_countries(address: str, parts: str) -> None:
    found = parse_address(address.split("|"))
    shown = [found.house_number, found.street, found.postcode, found.city, found.region]
    assert " / ".join(part or "-" for part in (*shown, found.country)) == parts


@pytest.mark.parametrize(
    ("address", "parts"),
    [
        # small letters alone, and wide gaps in place of commas
        ("3 cross lane   selby   yo8 4qq", "3 / cross lane / yo8 4qq / selby / - / GB"),
        ("lindenweg 4 99084 erfurt", "4 / lindenweg / 99084 / erfurt / - / -"),
        ("90 lake st w guelph on n1h 3x8", "90 / lake st w / n1h 3x8 / guelph / on / CA"),
        ("singel 12 1015 ab amsterdam", "12 / singel / 1015 ab / amsterdam / - / NL"),
        ("71 lake st duluth mn 55802", "71 / lake st / 55802 / duluth / mn / US"),
        ("12  High Street  London  SW1A  2AA", "12 / High Street / SW1A 2AA / London / - / GB"),
        # parts of a house behind its number
        ("Mühlweg 8 Seitenflügel links, 04103 Leipzig", "8 / Mühlweg / 04103 / Leipzig / - / -"),
        ("Am Ried 4 (Hinterhaus), 99084 Erfurt", "4 / Am Ried / 99084 / Erfurt / - / -"),
        ("Poststr. 4 II, 20354 Hamburg", "4 / Poststr. / 20354 / Hamburg / - / -"),
        ("Spui 30 hs, 1012 WX Amsterdam", "30 / Spui / 1012 WX / Amsterdam / - / NL"),
        (
            "Rua do Carmo 12 R/C Esq., 1200-094 Lisboa",
            "12 / Rua do Carmo / 1200-094 / Lisboa / - / PT",
        ),
        ("Calle Goya 8 bajo dcha, 28001 Madrid", "8 / Calle Goya / 28001 / Madrid / - / ES"),
        ("Nygade 12 st. tv., 1165 Kbh. K", "12 / Nygade / 1165 / Kbh. K / - / -"),
        ("Via Alba 7 piano terra, 16124 Genova (GE)", "7 / Via Alba / 16124 / Genova / GE / IT"),
        # a street behind its city
        ("6720 Szeged Oroszlán utca 5", "5 / Oroszlán utca / 6720 / Szeged / - / HU"),
        ("00-238 Warszawa ul. Długa 5", "5 / ul. Długa / 00-238 / Warszawa / - / PL"),
        ("I-00184 Roma Via Alba 12", "12 / Via Alba / 00184 / Roma / - / IT"),
        ("4820 Bad Ischl Wirer Straße 2", "2 / Wirer Straße / 4820 / Bad Ischl / - / -"),
        (
            "I-39042 Brixen/Bressanone, Stufels 12",
            "12 / Stufels / 39042 / Brixen/Bressanone / - / IT",
        ),
        (
            "5100 Old Highway 61|Duluth, MN 55804",
            "5100 / Old Highway 61 / 55804 / Duluth / MN / US",
        ),
        # regions
        (
            "2 rue Foch — 54000 Nancy (Meurthe-et-Moselle)",
            "2 / rue Foch / 54000 / Nancy / Meurthe-et-Moselle / -",
        ),
        ("Am Ried 2, 06108 Halle (Saale)", "2 / Am Ried / 06108 / Halle (Saale) / - / -"),
        (
            "Rua da Sé 3|9500-015 Ponta Delgada|Açores",
            "3 / Rua da Sé / 9500-015 / Ponta Delgada / Açores / PT",
        ),
        ("Fraz. Valle 2, 38030 Panchià (TN)", "2 / Fraz. Valle / 38030 / Panchià / TN / IT"),
        (
            "Colón 120, X5000 Córdoba, Pcia. de Córdoba",
            "120 / Colón / X5000 / Córdoba / Pcia. de Córdoba / AR",
        ),
        ("Am Ried 9, 92637 Weiden i. d. OPf.", "9 / Am Ried / 92637 / Weiden i. d. OPf. / - / -"),
        # numbers of two streets, in Mexico and in Colombia
        (
            "Calle 21 No. 104 x 20 y 22|97100 Mérida, Yucatán",
            "104 / Calle 21 / 97100 / Mérida / Yucatán / MX",
        ),
        (
            "Carrera 15 No. 93A-62, Cali, Valle del Cauca",
            "93A-62 / Carrera 15 / - / Cali / Valle del Cauca / CO",
        ),
        # what stands in front and behind
        ("Nowak GmbH Ringstr. 5, 4600 Wels", "5 / Ringstr. / 4600 / Wels / - / -"),
        ("Acme Ltd 14 Mill Road, Ely CB7 4AA", "14 / Mill Road / CB7 4AA / Ely / - / GB"),
        (
            "Ince Sok. No: 12, 06420 Ankara Te1: 0312 555 11 22",
            "12 / Ince Sok. / 06420 / Ankara / - / TR",
        ),
        ("Via Alba 3, 20121 Milano p.lva 01234567890", "3 / Via Alba / 20121 / Milano / - / IT"),
        ("3 Mill St / York / YO1 9RL", "3 / Mill St / YO1 9RL / York / - / GB"),
        ("Bar Sport via Po 3 40137 Bologna BO", "3 / via Po / 40137 / Bologna / BO / IT"),
        ("Garage Lot 5 rue Haute 74000 Annecy", "5 / rue Haute / 74000 / Annecy / - / -"),
        ("Travesía de la Calle 3, 37001 Soria", "3 / Travesía de la Calle / 37001 / Soria / - / -"),
        ("2 Oak St, London, W1U 3BW (Head Office)", "2 / Oak St / W1U 3BW / London / - / GB"),
        ("Vasagatan 12 3 tr, 111 20 Stockholm", "12 / Vasagatan / 111 20 / Stockholm / - / SE"),
        ("Mitre 4, (B1870) Avellaneda, Argentina", "4 / Mitre / B1870 / Avellaneda / - / AR"),
        ("Calle 10 #5-51 Centro, Cali, Colombia", "5-51 / Calle 10 / - / Cali / - / CO"),
        ("Gran Vía, 45 1º izda 48011 Bilbao", "45 / Gran Vía / 48011 / Bilbao / - / -"),
        ("Hauptstr. l2, 5O667 Köln", "12 / Hauptstr. / 50667 / Köln / - / -"),
        ("Via Po 3, Roma, 00198", "3 / Via Po / 00198 / Roma / - / IT"),
        # the country in another language
        (
            "Prešernova cesta 5, 1000 Ljubljana, Slowenien",
            "5 / Prešernova cesta / 1000 / Ljubljana / - / SI",
        ),
        ("Ringstr. 8, 1010 Wien, OOSTENRIJK", "8 / Ringstr. / 1010 / Wien / - / AT"),
        ("Dorpsstr 4 3512 JC Utrecht The Netherlands", "4 / Dorpsstr / 3512 JC / Utrecht / - / NL"),
        # The code of a country in brackets, and of a province of Italy
        ("Lindenweg 4, 50667 Köln (DE)", "4 / Lindenweg / 50667 / Köln / - / DE"),
        ("8 rue Basse, 33000 Bordeaux (FR)", "8 / rue Basse / 33000 / Bordeaux / - / FR"),
        (
            "Carrera 15 # 2-9 Este, Trinidad, Casanare, Colombia",
            "2-9 / Carrera 15 / - / Trinidad / Casanare / CO",
        ),
        ("Calle Larga 3, 28013 Madrid (ES)", "3 / Calle Larga / 28013 / Madrid / - / ES"),
        ("Via Nuova 2, 38068 Rovereto (TN)", "2 / Via Nuova / 38068 / Rovereto / TN / IT"),
        ("77 Elm St, Austin 78701 (TX)", "77 / Elm St / 78701 / Austin / TX / US"),
    ],
)
def test_addresses_in_other_writings(address: str, parts: str) -> None:
    spec = FieldSpec("address", Kind.ADDRESS)
    found = normalise(address.replace("|", "\n"), spec, DocumentContext()).value
    names = ("house_number", "street", "postcode", "city", "region", "country")
    assert " / ".join(found[name] or "-" for name in names) == parts


def test_the_pages_country_tells_how_a_postcode_is_read() -> None:
    spec = FieldSpec("address", Kind.ADDRESS)
    found = normalise("5 Rue Haute\nMaison\n1234 Ville", spec, DocumentContext(country="BE"))
    assert found.value["lines"] == ["5 Rue Haute", "Maison", "1234 Ville"]
    assert found.value["formatted"] == "5 Rue Haute Maison 1234 Ville"
    assert (found.value["postcode"], found.value["country"]) == ("1234", "BE")


@given(st.lists(st.text(max_size=40), max_size=6), st.sampled_from([None, "DE", "US", "MY", "XX"]))
def test_any_lines_are_taken_apart(lines: list[str], country: str | None) -> None:
    found = parse_address(lines, country)
    assert found.country is None or len(found.country) == 2


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "piece", ["1, ", "a, ", "12345 ", "No 1-", "jalan 1 ", "1/1-", "D.E ", "A1"]
)
def test_adversarial_lines_return(piece: str) -> None:
    assert parse_address([(piece * 60_000)[:60_000]], "MY") is not None


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "piece",
    [
        "1, ",
        "a, ",
        "12345 ",
        "No 1-",
        "1/1-",
        "# ",
        "Apt A-1-",
        "VAT 1 1 ",
        "St ",
        "12 Main St ",
        "Co. a ",
    ],
)
@pytest.mark.parametrize("country", [None, "MY", "US", "GB"])
def test_adversarial_lines_of_the_most_characters_return(piece: str, country: str | None) -> None:
    assert parse_address([(piece * 500)[:500]], country) is not None
