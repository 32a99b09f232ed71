import type { Vehicle } from '../vehicle.ts';
import { chargingPower } from './charging-power.ts';
import type { Role } from './roles.ts';

type Drive = 'battery' | 'plug-in' | 'hybrid' | 'petrol' | 'diesel';

export type Model = {
  vendor: string;
  model: string;
  variant: string;
  drive: Drive;
  role: Role;
  /** First and last year in which the variant was delivered new. */
  from: number;
  to: number;
  seats: number;
  batteryKwh?: number;
  /** The limit of the on-board charger. */
  maxAcKw?: number;
  /** Absent where it cannot be charged with direct current. */
  maxDcKw?: number;
  tankLitres?: number;
  /** kWh per 100 km for battery vehicles, litres for all others. */
  per100Km: number;
  /** Positions 1 to 11 of the VIN, with `_` where the year's code stands. */
  vinPattern: string;
  weight: number;
};

type Row = readonly [
  vendor: string,
  model: string,
  variant: string,
  role: Role,
  from: number,
  to: number,
  seats: number,
  /** kWh of battery vehicles, litres of all others. */
  capacity: number,
  per100Km: number,
  vinPattern: string,
  weight: number,
  plugInBatteryKwh?: number,
];

const mercedes = 'Mercedes-Benz';

const battery: readonly Row[] = [
  ['VW', 'ID.3', 'Pro Performance 58 kWh', 'sharing', 2020, 2023, 5, 58, 16.2, 'WVWZZZE1Z_P', 12],
  ['VW', 'ID.3', 'Pro S 77 kWh', 'pool', 2023, 2024, 5, 77, 16.4, 'WVWZZZE1Z_P', 5],
  ['VW', 'ID.3', 'Pro 59 kWh', 'sharing', 2024, 2026, 5, 59, 15.8, 'WVWZZZE1Z_P', 9],
  ['VW', 'ID.4', 'Pro Performance 77 kWh', 'sales', 2021, 2023, 5, 77, 18.4, 'WVGZZZE2Z_E', 7],
  ['VW', 'ID.4', 'Pro 77 kWh', 'sales', 2024, 2026, 5, 77, 17.4, 'WVGZZZE2Z_E', 8],
  ['VW', 'ID.7', 'Tourer Pro 77 kWh', 'sales', 2024, 2026, 5, 77, 16.8, 'WVWZZZEDZ_E', 7],
  ['VW', 'e-up!', '32.3 kWh', 'sharing', 2020, 2023, 4, 32.3, 14.4, 'WVWZZZAAZ_D', 5],
  ['VW', 'ID. Buzz', 'Pro 77 kWh', 'pool', 2023, 2024, 5, 77, 21.6, 'WV2ZZZEBZ_H', 3],
  ['Škoda', 'Enyaq', 'iV 80', 'sales', 2021, 2023, 5, 77, 17.8, 'TMBJB7NY0_F', 7],
  ['Škoda', 'Enyaq', '85', 'sales', 2024, 2026, 5, 77, 17, 'TMBJB7NY0_F', 8],
  ['Škoda', 'Elroq', '85', 'pool', 2025, 2026, 5, 77, 16.6, 'TMBJB7NV0_F', 6],
  ['Seat', 'Mii', 'electric', 'sharing', 2020, 2021, 4, 32.3, 14.4, 'VSSZZZAAZ_D', 2],
  ['Cupra', 'Born', '150 kW 58 kWh', 'sharing', 2022, 2025, 5, 58, 16.1, 'VSSZZZK1Z_P', 6],
  ['Audi', 'Q4 e-tron', '40 e-tron', 'sales', 2021, 2023, 5, 76.6, 18.9, 'WAUZZZFZ0_P', 4],
  ['BMW', 'i3', '120 Ah', 'sharing', 2019, 2022, 4, 42.2, 15.6, 'WBY8P2100_7', 5],
  ['BMW', 'i4', 'eDrive40 Gran Coupé', 'sales', 2022, 2025, 5, 83.9, 18.1, 'WBY71AW00_F', 5],
  ['BMW', 'iX1', 'xDrive30', 'pool', 2023, 2026, 5, 64.7, 18.3, 'WBY71EE00_5', 4],
  ['BMW', 'i5', 'eDrive40 Touring', 'sales', 2024, 2026, 5, 81.2, 19.1, 'WBY51GA00_C', 4],
  ['Mini', 'Cooper SE', '32.6 kWh', 'sharing', 2020, 2023, 4, 32.6, 15.8, 'WMW11DJ00_2', 5],
  [mercedes, 'EQA', '250', 'pool', 2021, 2023, 5, 66.5, 18.2, 'W1K243701_J', 4],
  [mercedes, 'EQA', '250+', 'pool', 2024, 2026, 5, 70.5, 17.4, 'W1K243703_J', 5],
  ['Smart', 'EQ fortwo', 'coupé 17.6 kWh', 'sharing', 2019, 2022, 2, 17.6, 15.7, 'WME453391_K', 3],
  ['Opel', 'Corsa-e', '50 kWh', 'sharing', 2020, 2023, 5, 50, 16.3, 'W0VUHZKX0_4', 7],
  ['Opel', 'Corsa Electric', '51 kWh', 'sharing', 2024, 2026, 5, 51, 15.8, 'W0VUHZKX0_4', 8],
  ['Ford', 'Mustang Mach-E', 'Ext. Range RWD', 'sales', 2021, 2023, 5, 88, 19.4, '3FMTK2S50_M', 2],
  ['Ford', 'Explorer', 'Extended Range RWD', 'sales', 2024, 2026, 5, 77, 17.6, 'WF0CXXRPK_R', 5],
  ['Renault', 'Zoe', 'R110 Z.E. 50', 'sharing', 2020, 2023, 5, 52, 17.4, 'VF1AG0000_5', 7],
  ['Renault', 'Megane E-Tech', 'EV60', 'pool', 2022, 2025, 5, 60, 16.6, 'VF1RCB000_6', 5],
  ['Renault', '5 E-Tech', 'Comfort 52 kWh', 'sharing', 2025, 2026, 5, 52, 15.4, 'VF1RJD000_5', 7],
  ['Peugeot', 'e-208', '50 kWh', 'sharing', 2020, 2023, 5, 50, 16.2, 'VR3UHZKX0_4', 5],
  ['Peugeot', 'E-208', '51 kWh', 'sharing', 2024, 2026, 5, 51, 15.6, 'VR3UHZKX0_4', 6],
  ['Citroën', 'ë-C4', '50 kWh', 'pool', 2021, 2023, 5, 50, 16.5, 'VR7BCZKX0_E', 3],
  ['Fiat', '500e', '42 kWh', 'sharing', 2021, 2024, 4, 42, 14.6, 'ZFAEFAJ40_X', 5],
  ['Hyundai', 'Kona', 'Elektro 64 kWh', 'pool', 2020, 2023, 5, 64, 15.9, 'TMAK581G0_J', 5],
  ['Hyundai', 'Kona', 'Elektro 65.4 kWh', 'pool', 2024, 2026, 5, 65.4, 16.7, 'TMAK581L0_J', 5],
  ['Hyundai', 'Ioniq 5', '77.4 kWh RWD', 'sales', 2022, 2024, 5, 77.4, 18.4, 'KMHKR81A0_U', 4],
  ['Kia', 'e-Niro', '64 kWh', 'pool', 2019, 2022, 5, 64, 16.2, 'KNACC81G0_5', 4],
  ['Kia', 'Niro EV', '64.8 kWh', 'pool', 2022, 2025, 5, 64.8, 16.5, 'KNACR81G0_5', 5],
  ['Kia', 'EV3', '81.4 kWh', 'pool', 2025, 2026, 5, 81.4, 16.8, 'KNADC81A0_5', 4],
  ['Kia', 'EV6', '77.4 kWh RWD', 'sales', 2022, 2024, 5, 77.4, 17.6, 'KNAC381A0_5', 3],
  ['Volvo', 'XC40', 'Recharge Twin', 'pool', 2021, 2023, 5, 78, 22.4, 'YV1XZEHR0_2', 3],
  ['Tesla', 'Model 3', 'Long Range AWD', 'pool', 2019, 2020, 5, 75, 16.2, '5YJ3E7EB0_F', 2],
  ['Tesla', 'Model 3', 'Rear-Wheel Drive', 'sharing', 2022, 2026, 5, 57.5, 14.6, 'LRW3E7FS0_C', 6],
  ['Tesla', 'Model Y', 'Long Range AWD', 'sales', 2023, 2025, 5, 75, 17.2, 'XP7YGCEK0_B', 7],
  ['Tesla', 'Model Y', 'Long Range RWD', 'sales', 2025, 2026, 5, 75, 16, 'XP7YGCES0_B', 6],
  ['Polestar', '2', 'Long Range Single Motor', 'sales', 2022, 2023, 5, 78, 17.7, 'LPSVSEDE0_L', 4],
  ['Dacia', 'Spring', 'Electric 45', 'sharing', 2021, 2023, 4, 26.8, 14.1, 'UU1DBG000_5', 3],
  ['Nissan', 'Leaf', '40 kWh', 'sharing', 2018, 2022, 5, 40, 17.1, 'SJNFAAZE1_U', 4],
  ['MG', 'MG4', 'Luxury 64 kWh', 'pool', 2023, 2025, 5, 64, 17, 'LSJWH4090_N', 2],
  ['VW', 'ID. Buzz Cargo', '77 kWh', 'van', 2023, 2024, 3, 77, 22.3, 'WV1ZZZEBZ_H', 6],
  ['VW', 'ID. Buzz Cargo', '79 kWh', 'van', 2025, 2026, 3, 79, 22.1, 'WV1ZZZEBZ_H', 6],
  [mercedes, 'eVito', 'Kasten lang 60 kWh', 'van', 2022, 2025, 3, 60, 25.4, 'W1V447605_3', 5],
  [mercedes, 'eSprinter', 'Kasten 81 kWh', 'large-van', 2024, 2026, 3, 81, 30.2, 'W1V907653_P', 4],
  ['Opel', 'Vivaro-e', 'Cargo M 75 kWh', 'van', 2020, 2023, 3, 75, 25, 'W0VVBZKX0_7', 5],
  ['Ford', 'E-Transit', '350 L3 68 kWh', 'large-van', 2022, 2024, 3, 68, 28.6, 'WF0EXXTTR_E', 4],
  ['Ford', 'E-Transit Custom', '64 kWh', 'van', 2024, 2026, 3, 64, 24.2, 'WF01XXTTG_1', 6],
  ['Renault', 'Kangoo', 'Z.E. 33', 'van', 2018, 2021, 2, 33, 18.6, 'VF1FW0000_6', 3],
  ['Renault', 'Kangoo', 'E-Tech Electric 45 kWh', 'van', 2022, 2026, 2, 45, 19, 'VF1RFK000_6', 5],
  ['Peugeot', 'e-Expert', 'L2 75 kWh', 'van', 2020, 2023, 3, 75, 25, 'VF3VBZKX0_7', 4],
  ['Toyota', 'Proace City', 'Electric 50 kWh', 'van', 2021, 2024, 3, 50, 19.8, 'YARECZKX0_J', 3],
  ['Nissan', 'e-NV200', '40 kWh', 'van', 2018, 2021, 2, 40, 19.9, 'VSKHAAME0_U', 3],
];

const plugIn: readonly Row[] = [
  ['VW', 'Golf', 'GTE', 'pool', 2020, 2024, 5, 40, 6, 'WVWZZZCDZ_W', 5, 13],
  ['VW', 'Passat', 'Variant GTE', 'sales', 2019, 2022, 5, 50, 6.3, 'WVWZZZ3CZ_E', 4, 13],
  ['VW', 'Passat', 'Variant eHybrid', 'sales', 2024, 2026, 5, 45, 6, 'WVWZZZCJZ_D', 6, 19.7],
  ['VW', 'Tiguan', 'eHybrid', 'pool', 2024, 2026, 5, 45, 6.5, 'WVGZZZCTZ_W', 5, 19.7],
  ['Škoda', 'Superb', 'Combi iV Style', 'sales', 2020, 2023, 5, 50, 6.2, 'TMBJB7NP0_7', 5, 13],
  ['Škoda', 'Superb', 'Combi iV 1.5', 'sales', 2024, 2026, 5, 45, 6, 'TMBJB7NZ0_D', 5, 19.7],
  ['Cupra', 'Formentor', '1.4 e-Hybrid', 'pool', 2021, 2024, 5, 40, 6.4, 'VSSZZZKMZ_R', 4, 12.8],
  ['Audi', 'A3', 'Sportback 40 TFSI e', 'pool', 2021, 2023, 5, 40, 6, 'WAUZZZGY0_A', 3, 13],
  ['BMW', '3er', '330e Touring', 'sales', 2020, 2024, 5, 40, 6.5, 'WBA6P7100_F', 5, 12],
  [mercedes, 'A-Klasse', 'A 250 e', 'pool', 2020, 2022, 5, 35, 6.1, 'W1K177186_J', 4, 15.6],
  [mercedes, 'C-Klasse', 'C 300 de T', 'sales', 2022, 2026, 5, 50, 5.6, 'W1K206216_R', 5, 25.4],
  ['Ford', 'Kuga', '2.5 PHEV Titanium', 'pool', 2020, 2024, 5, 45, 6.4, 'WF0FXXWPM_L', 5, 14.4],
  ['Renault', 'Captur', 'E-Tech Plug-in', 'pool', 2020, 2023, 5, 39, 5.9, 'VF1RJB000_7', 3, 9.8],
  ['Peugeot', '3008', 'Hybrid 225', 'pool', 2020, 2023, 5, 43, 6.5, 'VF3M45GB0_S', 3, 13.2],
  ['Hyundai', 'Tucson', '1.6 T-GDI PHEV', 'pool', 2021, 2024, 5, 42, 6.6, 'TMAJD81D0_J', 3, 13.8],
  ['Kia', 'Ceed', 'Sportswagon 1.6 PHEV', 'pool', 2020, 2023, 5, 37, 5.7, 'U5YH581D0_L', 3, 8.9],
  ['Volvo', 'V60', 'T6 Recharge AWD', 'sales', 2022, 2024, 5, 60, 7, 'YV1ZWH6V0_2', 4, 18.8],
  ['Toyota', 'RAV4', '2.5 Plug-in Hybrid', 'pool', 2021, 2025, 5, 55, 6.4, 'JTMGB3FV0_D', 2, 18.1],
];

const hybrid: readonly Row[] = [
  ['Toyota', 'Corolla', 'Touring Sports 1.8', 'pool', 2019, 2026, 5, 43, 4.8, 'SB1Z53BE0_E', 8],
  ['Toyota', 'Yaris', '1.5 Hybrid', 'pool', 2020, 2026, 5, 36, 4.2, 'VNKKBAC30_A', 6],
  ['Renault', 'Clio', 'E-Tech Hybrid 140', 'pool', 2020, 2023, 5, 39, 4.6, 'VF1RJA000_6', 4],
  ['Renault', 'Clio', 'E-Tech Full Hybrid 145', 'pool', 2024, 2026, 5, 39, 4.5, 'VF1RJA000_6', 4],
  ['Kia', 'Niro', '1.6 GDI Hybrid', 'pool', 2022, 2026, 5, 42, 4.9, 'KNACR81E0_5', 3],
];

const petrol: readonly Row[] = [
  ['VW', 'Golf', '1.5 TSI Life', 'pool', 2020, 2026, 5, 50, 5.7, 'WVWZZZCDZ_W', 8],
  ['VW', 'Polo', '1.0 TSI Life', 'pool', 2021, 2026, 5, 40, 5.4, 'WVWZZZAWZ_Y', 5],
  ['Škoda', 'Fabia', '1.0 TSI Ambition', 'pool', 2021, 2024, 5, 40, 5.3, 'TMBEP6PJ0_4', 4],
  ['Seat', 'Leon', 'Sportstourer 1.5 TSI FR', 'pool', 2020, 2026, 5, 50, 5.7, 'VSSZZZKLZ_R', 4],
  [mercedes, 'A-Klasse', 'A 180', 'pool', 2020, 2026, 5, 43, 5.9, 'W1K177084_J', 4],
  ['Opel', 'Corsa', '1.2 Direct Injection Turbo', 'pool', 2020, 2026, 5, 44, 5.5, 'W0VUPHNS0_4', 4],
  ['Ford', 'Puma', '1.0 EcoBoost mHEV', 'pool', 2020, 2026, 5, 42, 5.7, 'WF02XXERK_M', 4],
  ['Peugeot', '2008', 'PureTech 130', 'pool', 2020, 2023, 5, 44, 5.9, 'VR3USHNS0_J', 3],
  ['Citroën', 'C3', 'PureTech 83', 'pool', 2018, 2023, 5, 45, 5.6, 'VF7SXHMR0_T', 3],
  ['Fiat', 'Panda', '1.0 Hybrid', 'pool', 2020, 2024, 5, 38, 5.2, 'ZFA312000_3', 2],
  ['Hyundai', 'i30', 'Kombi 1.0 T-GDI', 'pool', 2020, 2026, 5, 50, 5.7, 'TMAH381A0_J', 3],
  ['Dacia', 'Sandero', 'TCe 90', 'pool', 2021, 2026, 5, 50, 5.5, 'UU1DJF000_6', 3],
  ['Nissan', 'Qashqai', '1.3 DIG-T MHEV', 'pool', 2021, 2026, 5, 55, 6.3, 'SJNFAAJ12_T', 3],
];

const diesel: readonly Row[] = [
  ['VW', 'Golf', '1.6 TDI Comfortline', 'pool', 2018, 2019, 5, 50, 4.7, 'WVWZZZAUZ_W', 5],
  ['VW', 'Golf', 'Variant 2.0 TDI Life', 'sales', 2021, 2026, 5, 50, 4.7, 'WVWZZZCDZ_W', 8],
  ['VW', 'Passat', 'Variant 2.0 TDI Business', 'sales', 2019, 2023, 5, 66, 5.2, 'WVWZZZ3CZ_E', 9],
  ['VW', 'Passat', 'Variant 2.0 TDI Elegance', 'sales', 2024, 2026, 5, 66, 5.2, 'WVWZZZCJZ_D', 8],
  ['VW', 'Tiguan', '2.0 TDI Life', 'sales', 2020, 2023, 5, 58, 6, 'WVGZZZ5NZ_W', 4],
  ['VW', 'Tiguan', '2.0 TDI R-Line', 'sales', 2024, 2026, 5, 55, 5.9, 'WVGZZZCTZ_W', 5],
  ['VW', 'Touran', '2.0 TDI Comfortline', 'pool', 2018, 2020, 7, 58, 5.7, 'WVGZZZ1TZ_W', 3],
  ['Škoda', 'Octavia', 'Combi 2.0 TDI Ambition', 'sales', 2020, 2023, 5, 45, 4.7, 'TMBJH7NX0_0', 9],
  ['Škoda', 'Octavia', 'Combi 2.0 TDI 110 kW', 'sales', 2024, 2026, 5, 45, 4.7, 'TMBJH7NX0_0', 8],
  ['Škoda', 'Superb', 'Combi 2.0 TDI Style', 'sales', 2019, 2023, 5, 66, 5.2, 'TMBJJ7NP0_7', 5],
  ['Škoda', 'Superb', 'Combi 2.0 TDI Selection', 'sales', 2024, 2026, 5, 66, 5.2, 'TMBJH7NZ0_D', 6],
  ['Audi', 'A4', 'Avant 40 TDI', 'sales', 2019, 2024, 5, 54, 5, 'WAUZZZF40_A', 6],
  ['Audi', 'A5', 'Avant 2.0 TDI', 'sales', 2025, 2026, 5, 56, 5.1, 'WAUZZZFU0_N', 5],
  ['Audi', 'A6', 'Avant 40 TDI', 'sales', 2019, 2024, 5, 63, 5.6, 'WAUZZZF20_N', 5],
  ['BMW', '3er', '320d Touring', 'sales', 2019, 2026, 5, 59, 5.1, 'WBA6L7100_F', 8],
  ['BMW', '5er', '520d Touring (G31)', 'sales', 2018, 2023, 5, 66, 5.6, 'WBAJP1100_C', 4],
  ['BMW', '5er', '520d Touring (G61)', 'sales', 2024, 2026, 5, 60, 5.7, 'WBA51FW00_C', 5],
  [mercedes, 'C-Klasse', 'C 220 d T', 'sales', 2021, 2026, 5, 50, 5.2, 'W1K206204_R', 7],
  [mercedes, 'E-Klasse', 'E 220 d T (S213)', 'sales', 2020, 2023, 5, 66, 5.7, 'W1K213204_A', 4],
  [mercedes, 'E-Klasse', 'E 220 d T (S214)', 'sales', 2024, 2026, 5, 66, 5.4, 'W1K214204_A', 5],
  ['Opel', 'Astra', 'Sports Tourer 1.6 CDTI', 'pool', 2018, 2019, 5, 48, 4.8, 'W0VBF8EK0_8', 4],
  ['Opel', 'Astra', 'Sports Tourer 1.5 Diesel', 'sales', 2022, 2026, 5, 52, 4.8, 'W0VFFYHZ0_2', 5],
  ['Ford', 'Focus', 'Turnier 1.5 EcoBlue', 'sales', 2018, 2025, 5, 47, 4.6, 'WF0PXXGCH_K', 6],
  ['Peugeot', '308', 'SW BlueHDi 130', 'sales', 2022, 2026, 5, 53, 4.7, 'VR3FFYHZ0_Y', 4],
  ['Volvo', 'V90', 'B4 Diesel', 'sales', 2020, 2023, 5, 60, 5.8, 'YV1PWA8V0_1', 3],
  ['Dacia', 'Duster', 'Blue dCi 115', 'pool', 2019, 2023, 5, 50, 5.2, 'UU1HJD000_6', 2],
  ['VW', 'Caddy Cargo', '2.0 TDI 75 kW', 'van', 2021, 2026, 2, 50, 5.4, 'WV1ZZZSKZ_X', 10],
  ['VW', 'Transporter', 'T6.1 2.0 TDI 110 kW', 'van', 2019, 2024, 3, 70, 7.7, 'WV1ZZZ7HZ_H', 12],
  ['VW', 'Crafter', '35 2.0 TDI 103 kW', 'large-van', 2018, 2026, 3, 75, 9.2, 'WV1ZZZSYZ_9', 8],
  [mercedes, 'Vito', '116 CDI Kasten lang', 'van', 2020, 2026, 3, 70, 7.5, 'W1V447603_3', 9],
  [mercedes, 'Sprinter', '315 CDI Kasten', 'large-van', 2021, 2026, 3, 71, 9.4, 'W1V907643_P', 9],
  ['Opel', 'Combo Cargo', '1.5 Diesel', 'van', 2019, 2026, 2, 50, 5.4, 'W0VEFYHY0_J', 5],
  ['Ford', 'Transit Custom', '2.0 EcoBlue 96 kW', 'van', 2018, 2023, 3, 70, 7.3, 'WF01XXTTG_1', 10],
  ['Ford', 'Transit Custom', '2.0 EcoBlue 100 kW', 'van', 2024, 2026, 3, 55, 7.2, 'WF01XXTTG_1', 8],
  ['Ford', 'Transit', '350 L3 2.0 EcoBlue', 'large-van', 2019, 2026, 3, 70, 9.3, 'WF0EXXTTR_E', 6],
  ['Renault', 'Trafic', 'Blue dCi 150', 'van', 2021, 2026, 3, 80, 7.3, 'VF1FL0000_S', 5],
  ['Renault', 'Master', 'L2H2 dCi 135', 'large-van', 2019, 2023, 3, 80, 9.1, 'VF1MA0000_B', 4],
  ['Renault', 'Master', 'L2H2 Blue dCi 130', 'large-van', 2024, 2026, 3, 80, 8.7, 'VF1MB0000_B', 4],
  ['Peugeot', 'Partner', 'BlueHDi 100', 'van', 2019, 2026, 3, 50, 5.4, 'VR3EFYHY0_J', 4],
  ['Citroën', 'Berlingo', 'Van BlueHDi 100', 'van', 2019, 2026, 3, 50, 5.4, 'VR7EFYHY0_J', 4],
  ['Citroën', 'Jumpy', 'M BlueHDi 145', 'van', 2021, 2025, 3, 70, 7.1, 'VF7VFAHK0_Z', 4],
  ['Fiat', 'Ducato', '35 L3H2 140 MultiJet', 'large-van', 2021, 2026, 3, 90, 9.4, 'ZFA250000_2', 5],
  ['Toyota', 'Proace', '2.0 D-4D 90 kW', 'van', 2019, 2023, 3, 70, 7.1, 'YARVFAHK0_Z', 3],
  ['Iveco', 'Daily', '35S16', 'large-van', 2020, 2026, 3, 70, 10.6, 'ZCFC135B0_5', 3],
];

export const models: readonly Model[] = [
  ...battery.map((row) => model('battery', row)),
  ...plugIn.map((row) => model('plug-in', row)),
  ...hybrid.map((row) => model('hybrid', row)),
  ...petrol.map((row) => model('petrol', row)),
  ...diesel.map((row) => model('diesel', row)),
];

/** The model that a vehicle says it is, if the demo knows it. */
export function findModel({ vendor, model, variant }: Vehicle['information']): Model | undefined {
  return models.find(
    (each) => each.vendor === vendor && each.model === model && each.variant === variant,
  );
}

function model(drive: Drive, row: Row): Model {
  const [vendor, name, variant, role, from, to, seats, capacity, per100Km, ...rest] = row;
  const [vinPattern, weight, plugInBatteryKwh] = rest;
  const batteryKwh = drive === 'battery' ? capacity : plugInBatteryKwh;
  const [maxAcKw, maxDcKw] = batteryKwh ? chargingPower(vendor, name, variant) : [];
  return {
    vendor,
    model: name,
    variant,
    drive,
    role,
    from,
    to,
    seats,
    ...(batteryKwh !== undefined && { batteryKwh }),
    ...(maxAcKw !== undefined && { maxAcKw }),
    ...(maxDcKw !== undefined && { maxDcKw }),
    ...(drive !== 'battery' && { tankLitres: capacity }),
    per100Km,
    vinPattern,
    weight,
  };
}
