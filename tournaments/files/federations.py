"""FIDE's codes of federations, and what files say where FIDE says something else: ISO codes, names of countries."""

from __future__ import annotations

from .columns import plain_heading

# Code, FIDE's name, then what others write for it: ISO 3166 codes, codes of other sports, names in other languages.
# FIDE publishes no such list. These are the codes of its directory of federations and of its rating lists; FID is
# FIDE's own flag, NON is somebody without a federation.
_TABLE = """
AFG Afghanistan: AF
AHO Netherlands Antilles: CUW CW Curaçao
ALB Albania: AL
ALG Algeria: DZA DZ Algérie
AND Andorra: AD
ANG Angola: AGO AO
ANT Antigua and Barbuda: ATG AG
ARG Argentina: AR
ARM Armenia: AM
ARU Aruba: ABW AW
AUS Australia: AU
AUT Austria: AT Österreich
AZE Azerbaijan: AZ
BAH Bahamas: BHS BS
BAN Bangladesh: BGD BD
BAR Barbados: BRB BB
BDI Burundi: BI
BEL Belgium: BE België Belgique Belgien
BEN Benin: BJ
BER Bermuda: BMU BM
BHU Bhutan: BTN BT
BIH Bosnia and Herzegovina: BA Bosnia
BIZ Belize: BLZ BZ
BLR Belarus: BY
BOL Bolivia: BO
BOT Botswana: BWA BW
BRA Brazil: BR Brasil
BRN Bahrain: BHR BH
BRU Brunei: BN
BUL Bulgaria: BGR BG
BUR Burkina Faso: BFA BF
CAF Central African Republic: CF
CAM Cambodia: KHM KH
CAN Canada: CA
CAY Cayman Islands: CYM KY
CGO Congo: COG CG
CHA Chad: TCD TD
CHI Chile: CHL CL
CHN China: CN
CIV Côte d’Ivoire: CI
CMR Cameroon: CM
COD Democratic Republic of the Congo: CD
COL Colombia: CO
COM Comoros: KM
CPV Cape Verde: CV
CRC Costa Rica: CRI CR
CRO Croatia: HRV HR Hrvatska
CUB Cuba: CU
CYP Cyprus: CY
CZE Czech Republic: CZ Czechia Tschechien Česko
DEN Denmark: DNK DK Danmark Dänemark
DJI Djibouti: DJ
DMA Dominica: DM
DOM Dominican Republic: DO
ECU Ecuador: EC
EGY Egypt: EG
ENG England
ERI Eritrea: ER
ESA El Salvador: SLV SV
ESP Spain: ES España Spanien Espagne Spanje
EST Estonia: EE
ETH Ethiopia: ET
FAI Faroe Islands: FRO FO
FID FIDE
FIJ Fiji: FJI FJ
FIN Finland: FI Suomi
FRA France: FR Frankreich Frankrijk
GAB Gabon: GA
GAM Gambia: GMB GM
GBS Guinea-Bissau: GNB GW
GCI Guernsey: GGY
GEO Georgia: GE
GEQ Equatorial Guinea: GNQ GQ
GER Germany: DEU DE Deutschland Allemagne Duitsland ALL
GHA Ghana: GH
GRE Greece: GRC GR
GRL Greenland: GL
GRN Grenada: GRD GD
GUA Guatemala: GTM GT
GUI Guinea: GIN GN
GUM Guam: GU
GUY Guyana: GY
HAI Haiti: HTI HT
HKG Hong Kong: HK
HON Honduras: HND HN
HUN Hungary: HU Magyarország Ungarn
INA Indonesia: IDN ID
IND India: IN
IOM Isle of Man: IMN IM
IRI Iran: IRN IR
IRL Ireland: IE
IRQ Iraq: IQ
ISL Iceland: IS Ísland
ISR Israel: IL
ISV US Virgin Islands: VIR VI
ITA Italy: IT Italia Italien
IVB British Virgin Islands: VGB VG
JAM Jamaica: JM
JCI Jersey: JEY JE
JOR Jordan: JO
JPN Japan: JP
KAZ Kazakhstan: KZ
KEN Kenya: KE
KGZ Kyrgyzstan: KG
KOR South Korea: KR Korea
KOS Kosovo: XKX XK
KSA Saudi Arabia: SAU SA
KUW Kuwait: KWT KW
LAO Laos: LA
LAT Latvia: LVA LV
LBA Libya: LBY LY
LBN Lebanon: LB
LBR Liberia: LR
LCA Saint Lucia: LC
LES Lesotho: LSO LS
LIE Liechtenstein: LI
LTU Lithuania: LT
LUX Luxembourg: LU
MAC Macau: MO Macao
MAD Madagascar: MDG MG
MAR Morocco: MA
MAS Malaysia: MYS MY
MAW Malawi: MWI MW
MDA Moldova: MD
MDV Maldives: MV
MEX Mexico: MX
MGL Mongolia: MNG MN
MKD North Macedonia: MK Macedonia
MLI Mali: ML
MLT Malta: MT
MNC Monaco: MCO MC
MNE Montenegro: ME
MOZ Mozambique: MZ
MRI Mauritius: MUS MU
MTN Mauritania: MRT MR
MYA Myanmar: MMR MM
NAM Namibia: NA
NCA Nicaragua: NIC NI
NCL New Caledonia: NC
NED Netherlands: NLD NL Nederland Niederlande Holland HOL
NEP Nepal: NPL NP
NGR Nigeria: NGA NG
NIG Niger: NER NE
NON no federation
NOR Norway: NO Norge Norwegen
NRU Nauru: NR
NZL New Zealand: NZ
OMA Oman: OMN OM
PAK Pakistan: PK
PAN Panama: PA
PAR Paraguay: PRY PY
PER Peru: PE
PHI Philippines: PHL PH
PLE Palestine: PSE PS
PLW Palau: PW
PNG Papua New Guinea: PG
POL Poland: PL Polska Polen
POR Portugal: PRT PT
PUR Puerto Rico: PRI PR
QAT Qatar: QA
ROU Romania: RO ROM
RSA South Africa: ZAF ZA
RUS Russia: RU Россия
RWA Rwanda: RW
SCO Scotland
SEN Senegal: SN
SEY Seychelles: SYC SC
SGP Singapore: SG SIN
SKN Saint Kitts and Nevis: KNA KN
SLE Sierra Leone: SL
SLO Slovenia: SVN SI Slovenija
SMR San Marino: SM
SOL Solomon Islands: SLB SB
SOM Somalia: SO
SRB Serbia: RS SCG
SRI Sri Lanka: LKA LK
SSD South Sudan: SS
STP São Tomé and Príncipe: ST
SUD Sudan: SDN SD
SUI Switzerland: CHE CH Schweiz Suisse Svizzera SWI
SUR Suriname: SR
SVK Slovakia: SK Slovensko
SWE Sweden: SE Sverige Schweden
SWZ Eswatini: SZ Swaziland
SYR Syria: SY
TAN Tanzania: TZA TZ
TGA Tonga: TON TO
THA Thailand: TH
TJK Tajikistan: TJ
TKM Turkmenistan: TM
TLS Timor-Leste: TL
TOG Togo: TGO TG
TPE Chinese Taipei: TWN TW Taiwan
TTO Trinidad and Tobago: TT TRI
TUN Tunisia: TN
TUR Türkiye: TR Turkey
UAE United Arab Emirates: ARE AE
UGA Uganda: UG
UKR Ukraine: UA Україна
URU Uruguay: URY UY
USA United States of America: US America
UZB Uzbekistan: UZ
VAN Vanuatu: VUT VU
VEN Venezuela: VE
VIE Vietnam: VNM VN
VIN Saint Vincent and the Grenadines: VCT VC
WLS Wales
YEM Yemen: YE
ZAM Zambia: ZMB ZM
ZIM Zimbabwe: ZWE ZW
"""
_ROWS = [row.partition(": ")[::2] for row in _TABLE.strip().splitlines()]
FEDERATIONS: dict[str, str] = {known[:3]: known[4:] for known, _ in _ROWS}
"""Name by code."""

_BRITISH = "ENG, SCO or WLS"
_MEANT = {
    **{plain_heading(name): code for code, name in FEDERATIONS.items()},
    **{plain_heading(word): known[:3] for known, words in _ROWS for word in words.split()},
    **dict.fromkeys(("gbr", "gb", "uk", "greatbritain", "unitedkingdom"), _BRITISH),
}


def fide_code(text: str) -> str:
    """The FIDE code that was meant by an ISO code or a country's name; "" for a FIDE code, and if none is known."""
    return "" if text.upper() in FEDERATIONS else _MEANT.get(plain_heading(text), "")


def swapped(text: str) -> str:
    """The only FIDE code with the same letters in another order, or "": NRO is NOR, mistyped."""
    letters = sorted(text.upper())
    found = [code for code in FEDERATIONS if sorted(code) == letters]
    return found[0] if len(found) == 1 else ""


def with_name(code: str) -> str:
    """NED (Netherlands)."""
    return f"{code} ({FEDERATIONS[code]})" if code in FEDERATIONS else code
