import type { CostKind } from '../invoice-line.ts';

/** What lines of invoices are called in German, English and French; the first that fits decides. */
const words: readonly [CostKind, RegExp][] = [
  ['tyres', /reifen|\bt[yi]res?\b|radwechsel|\bpneus?\b|felge/i],
  ['leasing', /leasing|miet(e|rate)|\brent(al)?\b|location longue/i],
  ['insurance', /versicherung|insurance|\bassurance\b/i],
  ['tax', /kfz-steuer|kraftfahrzeugsteuer|vehicle tax|road tax/i],
  ['fine', /bu(ß|ss)geld|verwarnung|\bfine\b|penalty|amende/i],
  ['toll', /\bmaut\b|\btolls?\b|vignette|p[ée]age/i],
  ['parking', /park(en|platz|haus|ing|gebühr)|stellplatz/i],
  ['cleaning', /wäsche|wasch|reinigung|cleaning|car wash|lavage/i],
  ['fuel', /diesel|benzin|super e|kraftstoff|\bfuel\b|petrol|adblue|gazole|\be10\b|carburant/i],
  ['energy', /lade(n|vorgang|strom|karte|energie)|strom\b|charging|\bkwh\b|recharge/i],
  [
    'maintenance',
    /inspektion|wartung|\bservice\b|hauptuntersuchung|\bhu\b|ölwechsel|motoröl|engine oil|maintenance|brake fluid|entretien/i,
  ],
  ['repair', /reparatur|\brepair|ersatzteil|unfall|bremse|karosserie|lackier|réparation/i],
];

// Beyond it, a text tells of other things than what the line is for.
const maxTextLength = 200;

/** What a line is spent on, as far as the start of its text or its unit tells. */
export function kindOfLine(text: string, unit: string): CostKind {
  if (unit === 'KWH') return 'energy';
  const start = text.slice(0, maxTextLength);
  return words.find(([, pattern]) => pattern.test(start))?.[0] ?? 'other';
}
