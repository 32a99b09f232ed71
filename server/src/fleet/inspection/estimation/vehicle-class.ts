import type { VehicleClass } from '../../vehicle-use.ts';
import type { ClassFact } from './facts.ts';

type Described = { vendor?: string; model?: string; variant?: string; seats?: number };
type Classes = readonly [VehicleClass, ...VehicleClass[]];

const words = (list: string) => new RegExp(`(^|[^\\p{L}\\d])(${list})($|[^\\p{L}\\d])`, 'iu');

/** By words of vendor, model and variant; the first that fits. */
const classesByWords: readonly [RegExp, Classes][] = [
  [
    words('schmitz|cargobull|krone|kögel|koegel|humbaur|böckmann|trailer|anhänger|auflieger'),
    ['O'],
  ],
  [
    words(
      'ducati|harley|harley-davidson|ktm|vespa|piaggio|kawasaki|yamaha|aprilia|triumph|kymco|niu|silence|microlino|twizy|ami|ce 04|c evolution',
    ),
    ['L'],
  ],
  [words('e?citaro|setra|tourismo|intouro|travego|lion’s|lion.s|urbino|neoplan|crossway'), ['M3']],
  [
    words('actros|arocs|econic|tgx|tgs|volvo f[hm]\\d*x?|daf (xf|xg|xd|cf)|stralis|s-way|scania'),
    ['N3'],
  ],
  [words('atego|tgl|tgm|eurocargo|canter|fuso|ecanter|daf (lf|xb)|midlum|volvo f[le]'), ['N2']],
  // Sold as N2 as well, above 3.5 t.
  [
    words(
      'sprinter|esprinter|crafter|e-crafter|tge|etge|daily|edaily|master|movano|ducato|boxer|jumper',
    ),
    ['N1', 'N2', 'M1'],
  ],
  // Vans that are also sold as cars.
  [
    words(
      'transporter|caddy|vito|evito|citan|ecitan|transit|e-transit|tourneo|kangoo|express|trafic|berlingo|partner|rifter|expert|traveller|jumpy|spacetourer|doblo|scudo|talento|fiorino|qubo|vivaro|combo|zafira life|proace|nv200|e-nv200|nv300|nv400|townstar|primastar|interstar|dokker|buzz cargo|maxus|edeliver|streetscooter|t5|t6|t6.1|t7',
    ),
    ['N1', 'M1'],
  ],
  [words('pick-up|pickup|amarok|hilux|ranger|navara|d-max|l200|cargo|van|utility'), ['N1', 'M1']],
];

/** Makes of cars: what they build besides is in the table above. */
const carMakes = words(
  'abarth|alfa|alpine|aston|audi|bentley|bmw|byd|cadillac|chevrolet|chrysler|citroën|citroen|cupra|dacia|daihatsu|ds|ferrari|fiat|ford|genesis|honda|hyundai|infiniti|jaguar|jeep|kia|lada|lamborghini|lancia|land|lexus|lotus|lucid|lynk|maserati|mazda|mercedes|mercedes-benz|mg|mini|mitsubishi|nio|nissan|opel|peugeot|polestar|porsche|renault|rover|saab|seat|skoda|škoda|smart|ssangyong|subaru|suzuki|tesla|toyota|vauxhall|volkswagen|volvo|vw|xpeng',
);

/** Of the make, the model and the variant each: what is behind them tells no class. */
const tellingCharacters = 80;

/** The classes that a vehicle may have by its model, the most likely first; a car where the model tells nothing. */
export function classOfModel({ vendor, model, variant, seats = 0 }: Described): ClassFact {
  if (seats > 9) return { possible: ['M2', 'M3'], modelIsKnown: true };
  const text = [vendor, model, variant]
    .filter((part) => part !== undefined)
    .map((part) => part.slice(0, tellingCharacters))
    .join(' ')
    .normalize();
  const found = classesByWords.find(([pattern]) => pattern.test(text));
  if (found) return { possible: found[1], modelIsKnown: true };
  return { possible: ['M1'], modelIsKnown: carMakes.test(text) };
}
