"""What files say for a federation where FIDE says something else: ISO codes and names of countries."""

from __future__ import annotations

from .columns import plain

# ISO 3166 (three letters, two letters), English and own names -> FIDE's code. Only where FIDE's own differs
# from the three-letter code, or where people write the name out.
_SAID = """
ALG: DZA DZ Algeria Algérie
ANG: AGO AO Angola
ANT: ATG AG
ARG: AR Argentina
ARM: AM Armenia
ARU: ABW AW Aruba
AUS: AU Australia
AUT: AT Austria Österreich
AZE: AZ Azerbaijan
BAH: BHS BS Bahamas
BAN: BGD BD Bangladesh
BAR: BRB BB Barbados
BEL: BE Belgium België Belgique Belgien
BHU: BTN BT Bhutan
BIH: BA Bosnia
BIZ: BLZ BZ Belize
BLR: BY Belarus
BOT: BWA BW Botswana
BRA: BR Brazil Brasil
BRN: BHR BH Bahrain
BRU: BN Brunei
BUL: BGR BG Bulgaria
BUR: BFA BF
CAM: KHM KH Cambodia
CAN: CA Canada
CAY: CYM KY
CHA: TCD TD Chad
CHI: CHL CL Chile
CHN: CN China
COL: CO Colombia
CRC: CRI CR
CRO: HRV HR Croatia Hrvatska
CYP: CY Cyprus
CZE: CZ Czechia Tschechien Česko
DEN: DNK DK Denmark Danmark Dänemark
ECU: EC Ecuador
EGY: EG Egypt
ENG, SCO or WLS: GBR GB UK
ENG: England
ESA: SLV SV
ESP: ES Spain España Spanien Espagne Spanje
EST: EE Estonia
FAI: FRO FO
FIJ: FJI FJ Fiji
FIN: FI Finland Suomi
FRA: FR France Frankreich Frankrijk
GAM: GMB GM Gambia
GCI: GGY Guernsey
GEO: GE Georgia
GEQ: GNQ GQ
GER: DEU DE Germany Deutschland Allemagne Duitsland
GRE: GRC GR Greece
GRN: GRD GD Grenada
GUA: GTM GT Guatemala
HAI: HTI HT Haiti
HON: HND HN Honduras
HUN: HU Hungary Magyarország Ungarn
INA: IDN ID Indonesia
IND: IN India
IOM: IMN IM
IRI: IRN IR Iran
IRL: IE Ireland
ISL: IS Iceland Ísland
ISR: IL Israel
ISV: VIR VI
ITA: IT Italy Italia Italien
IVB: VGB VG
JCI: JEY JE Jersey
JPN: JP Japan
KSA: SAU SA
KUW: KWT KW Kuwait
LAT: LVA LV Latvia
LBA: LBY LY Libya
LBN: LB Lebanon
LES: LSO LS Lesotho
LTU: LT Lithuania
LUX: LU Luxembourg
MAD: MDG MG Madagascar
MAS: MYS MY Malaysia
MAW: MWI MW Malawi
MEX: MX Mexico México
MGL: MNG MN Mongolia
MNC: MCO MC Monaco
MRI: MUS MU Mauritius
MTN: MRT MR Mauritania
MYA: MMR MM Myanmar
NCA: NIC NI Nicaragua
NED: NLD NL Netherlands Nederland Niederlande Holland
NEP: NPL NP Nepal
NGR: NGA NG Nigeria
NIG: NER NE Niger
NOR: NO Norway Norge Norwegen
NZL: NZ
OMA: OMN OM Oman
PAR: PRY PY Paraguay
PER: PE Peru
PHI: PHL PH Philippines
PLE: PSE PS Palestine
POL: PL Poland Polska Polen
POR: PRT PT Portugal
PUR: PRI PR
ROU: RO Romania România ROM
RSA: ZAF ZA
SCO: Scotland
SEY: SYC SC Seychelles
SGP: SG Singapore SIN
SKN: KNA KN
SLO: SVN SI Slovenia Slovenija
SOL: SLB SB
SRB: RS Serbia SCG
SRI: LKA LK
SUD: SDN SD Sudan
SUI: CHE CH Switzerland Schweiz Suisse Svizzera
SVK: SK Slovakia Slovensko
SWE: SE Sweden Sverige Schweden
TAN: TZA TZ Tanzania
TGA: TON TO Tonga
TOG: TGO TG Togo
TPE: TWN TW Taiwan
TTO: TT TRI
TUR: TR Türkiye Turkey
UAE: ARE AE
UKR: UA Ukraine Україна
URU: URY UY Uruguay
USA: US
VAN: VUT VU Vanuatu
VIE: VNM VN Vietnam
VIN: VCT VC
WLS: Wales
ZAM: ZMB ZM Zambia
ZIM: ZWE ZW Zimbabwe
"""
_MEANT = {
    plain(word): line.partition(":")[0]
    for line in _SAID.strip().splitlines()
    for word in line.partition(":")[2].split()
}


def fide_code(said: str) -> str:
    """The FIDE code that was probably meant by an ISO code or a country's name, or "" if there is none to suggest."""
    return _MEANT.get(plain(said), "")
