import type { BodyType } from './shapes.ts';

export type Described = {
  vendor?: string | null | undefined;
  model?: string | null | undefined;
  variant?: string | null | undefined;
  seats?: number | null | undefined;
};

/** Whole words, or words in this order, of vendor, model and variant in lower case without diacritics. */
const words = (...lists: string[]) =>
  new RegExp(`(?<![\\p{L}\\d])(?:${lists.join('|')})(?![\\p{L}\\d])`, 'u');

/** Sold both with a load compartment and with seats. */
const byUse = ({ seats }: Described): BodyType => ((seats ?? 0) >= 4 ? 'van' : 'transporter');

/** The first that fits. What tells the body stands before the models, which have several. */
const table: readonly (readonly [RegExp, BodyType | typeof byUse])[] = [
  [
    words(
      'pick-?up|amarok|hilux|ranger|navara|d-max|l200|x-klasse|alaskan|fullback|musso|gladiator',
      'cybertruck|f-150|silverado|ram',
    ),
    'pickup',
  ],
  [
    words(
      'e?sprinter|(e-)?crafter|e?tge|e?daily|(e-)?master|movano(-e)?|e?-?ducato|e?-?boxer|e?-?jumper|nv400|interstar',
      'iveco|man|scania|daf|fuso|e?canter|e?actros|e?atego|arocs|e?deliver \\d|maxus|streetscooter',
      'cargo|kasten(wagen)?|panel van|furgon|fourgon|pritsche|koffer',
    ),
    'transporter',
  ],
  [
    words(
      'multivan|caravelle|california|(id\\. ?)?buzz|v-klasse|v-class|eqv|eqt|tourneo|rifter|traveller|spacetourer|zafira',
      'touran|sharan|alhambra|galaxy|s-max|c-max|b-max|b-klasse|b-class|active tourer|gran tourer|picasso|espace',
      '(grand )?scenic(?! e-tech)|carens|verso|lodgy|jogger|sienna|minibus',
    ),
    'van',
  ],
  [
    words(
      'transporter|(vw|volkswagen) t[3-7](\\.1)?|caddy|e?vito|e?citan|(e-)?transit|kangoo|express|trafic|e?-?berlingo|e?-?partner',
      'e?-?expert|e?-?jumpy|e?-?doblo|e?-?scudo|talento|fiorino|qubo|vivaro(-e)?|combo(-e)?|proace|(e-)?nv[23]00',
      'townstar|primastar|dokker|bipper|nemo|van',
    ),
    byUse,
  ],
  [
    words(
      'variant|combi|kombi|touring|tourer|sports ?tourer|avant|turnier|sw|estate|sports? ?wagon|sportbrake',
      'grandtour|break|allroad|alltrack|scout|shooting brake|caravan|t-modell|outback|levorg|v[45679]0',
      'mercedes-benz .* t( \\(.*\\))?',
    ),
    'estate',
  ],
  [
    words(
      'suv|tiguan|tayron|touareg|t-roc|t-cross|taigo|id\\. ?[456]|enyaq|elroq|kodiaq|karoq|kamiq|yeti|ateca|arona',
      'tarraco|formentor|terramar|tavascan|q[2-8]|rs ?q\\d|e-tron|x[1-7]|ix[1-3]?|gl[abces]|gl[ces]-klasse|eq[abc]|g-klasse',
      'mokka(-e)?|crossland|grandland|frontera|antara|kuga|puma|ecosport|explorer|mach-e|edge|captur|symbioz|kadjar',
      'austral|arkana|rafale|koleos|scenic e-tech|peugeot e?-?[2345]008|aircross|kona|tucson|santa fe|bayon|niro|e-niro',
      'sportage|sorento|stonic|xceed|ev[359]|xc[469]0|ex[3-9]0|c40|rav4|cross|c-hr|bz4x|highlander|land cruiser',
      'model [xy]|duster|bigster|qashqai|juke|x-trail|ariya|mg (e?hs|zs|marvel r)|ehs|zs|cx-\\d+|mx-30|countryman',
      'jeep|renegade|compass|avenger|wrangler|cherokee|vitara|s-cross|ignis|jimny|outlander|asx|eclipse cross|forester',
      'xv|solterra|evoque|velar|discovery|defender|range rover|macan|cayenne|urus|bentayga|stelvio|tonale|levante',
      '[fei]-pace|atto 3|seal u|tang|polestar [34]|500x|ds ?[37]|smart #[135]|junior|yuan|g6|g9|el[678]|cr-v|hr-v|zr-v',
    ),
    'suv',
  ],
  [
    words(
      '(e-)?up!?|mii|(e-)?citigo|polo|lupo|fox|fabia|ibiza|a1|i3|mini|twingo|clio|zoe|renault [45]|aygo|yaris|iq|i10|i20',
      'inster|picanto|rio|e?-?panda|fiat (500|600|punto)|500e|500c|grande panda|fortwo|forfour|smart|c[123]|e-c3|ami',
      'peugeot (e-)?(10[678]|20[678])|ds ?3|spring|sandero|logan|ka\\+?|fiesta|adam|karl|agila|corsa(-e)?|micra|jazz',
      'honda e|mazda ?2|swift|celerio|alto|ypsilon|colt|space star|t03|dolphin surf|microlino|twizy|mg ?3',
    ),
    'small-car',
  ],
  [
    words(
      'limousine|saloon|sedan|berline|stufenheck|model [3s]|i[457]|ioniq 6|polestar [12]|arteon|passat|jetta|id\\. ?7',
      'superb|octavia|rapid|toledo|exeo|a[45678]|s[4568]|[3-8]er|[35]20[di]|m[35]|[ces]-klasse|[ces]-class|cl[as]|eq[es]',
      'insignia|vectra|mondeo|laguna|talisman|peugeot (407|508)|e?-?c5|c6|xm|ds ?9|camry|prius|mirai|avensis|lexus|i40',
      'sonata|optima|stinger|s[4689]0|giulia|ghibli|quattroporte|accord|mazda ?6|legacy|xe|xf|xj|seal|han|et[579]|p7',
      'panamera|taycan|mercedes-benz [ces] \\d{3}',
    ),
    'saloon',
  ],
  [
    words(
      'golf|id\\. ?3|beetle|scirocco|leon|born|scala|a3|[12]er|i30|a-klasse|a-class|focus|astra(-e)?|megane|peugeot (e-)?(30[78]|408)',
      'e?-?c4|ds ?4|ceed|pro_?ceed|ev[46]|ioniq( 5)?|corolla|auris|civic|mazda ?3|leaf|pulsar|note|mg ?4|giulietta|delta|tipo|dolphin',
    ),
    'hatchback',
  ],
];

/** Of the make, the model and the variant each: what is behind them tells no body, and takes long to be looked through. */
const tellingCharacters = 80;

/** The body of a vehicle by what is known of it. */
export function bodyTypeOf(vehicle: Described): BodyType {
  const text = [vehicle.vendor, vehicle.model, vehicle.variant]
    .filter((part) => part)
    .map((part) => part?.slice(0, tellingCharacters))
    .join(' ')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase();
  for (const [pattern, bodyType] of table) {
    if (pattern.test(text)) return typeof bodyType === 'string' ? bodyType : bodyType(vehicle);
  }
  return (vehicle.seats ?? 0) >= 6 ? 'van' : 'hatchback';
}
