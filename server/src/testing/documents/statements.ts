import type {
  AccidentStatement,
  StatementParty,
} from '../../fleet/incidents/demo/accident-statement.ts';
import { randomFor } from '../../platform/random/random.ts';

/** What a test document says, and whose side the vehicle of the test is on. */
export type TestStatement = { statement: AccidentStatement; own: 'a' | 'b'; instant: string };

const places = {
  de: ['Torstraße 1, 10119 Berlin', 'Königsallee 27, Düsseldorf', 'Marktplatz 4, 70173 Stuttgart'],
  en: ['12 King Street, Dublin 2', '45 Market Square, Cambridge', '7 Harbour Road, Bristol'],
};
const people = {
  de: ['Schäfer Jürgen', 'Müller Katrin', 'Weiß Sebastian', 'Hoffmann Lena', 'Krüger Björn'],
  en: ['Murphy Sean', 'Jones Mary', 'Walker Thomas', 'Bennett Alice', 'Hughes Daniel'],
};
const plates = {
  de: ['B-MP 1234', 'M-XY 987', 'HH-KL 4521', 'S-TU 88', 'K-RF 2706', 'D-GH 315'],
  en: ['191-D-12345', 'LK63 VRT', 'WF19 KXU', '152-C-4471', 'YJ68 HTM', 'KE14 NPR'],
};
const insurers = {
  de: ['Beispiel AG', 'Alpen Versicherung'],
  en: ['Island Insurance', 'Example Mutual'],
};
const cars = ['VW ID.3', 'BMW 320d', 'Ford Focus', 'Opel Corsa', 'Skoda Octavia'];
const remarks = {
  de: [
    'Ich musste wegen eines Radfahrers bremsen.',
    'Stand an der Ampel und wartete auf Grün.',
    'Das andere Fahrzeug fuhr zu schnell.',
  ],
  en: [
    'The other car stopped suddenly.',
    'I was waiting at the traffic lights.',
    'The road was wet and I could not stop in time.',
  ],
};
const damages = {
  de: ['Stoßfänger vorn', 'Heckklappe verbeult', 'Tür rechts zerkratzt'],
  en: ['Front bumper', 'Tailgate dented', 'Right door scratched'],
};

/** The same statement for the same number; those with an odd number are in English. */
export function testStatement(number: number): TestStatement {
  const language = number % 2 === 0 ? 'de' : 'en';
  const random = randomFor(`statement ${number}`);
  const { pick } = random;
  const [first, second] = [random.integer(0, 2), random.integer(3, 5)];
  const party = (plate: number): StatementParty => {
    const [driverName = '', driverFirstName = ''] = pick(people[language]).split(' ');
    return {
      policyholder: pick(people[language]),
      address: language === 'de' ? 'Hauptstr. 5, Bonn' : '3 Church Lane, Leeds',
      make: pick(cars),
      licensePlate: plates[language][plate] ?? '',
      insurer: pick(insurers[language]),
      policyNumber: `KH ${random.integer(1_000, 9_999)} ${random.integer(100, 999)}`,
      driverName,
      driverFirstName,
      damage: pick(damages[language]),
      remarks: pick(remarks[language]),
      circumstances: [random.integer(1, 17)],
    };
  };
  const [day, month] = [random.integer(1, 28), random.integer(1, 9)];
  const [hour, minute] = [random.integer(7, 19), random.integer(10, 59)];
  const two = (value: number) => String(value).padStart(2, '0');
  const separator = language === 'de' ? '.' : '/';
  const statement: AccidentStatement = {
    language,
    date: [two(day), two(month), '2026'].join(separator),
    time: `${two(hour)}:${minute}`,
    place: pick(places[language]),
    a: party(first),
    b: party(second),
  };
  return {
    statement,
    own: random.chance(0.5) ? 'a' : 'b',
    instant: `2026-${two(month)}-${two(day)}T${two(hour)}:${minute}`,
  };
}
