export type Street = {
  name: string;
  lat: number;
  lng: number;
  /** Degrees clockwise from north in which the street runs at this point. */
  heading: number;
};

export type City = {
  name: string;
  /** District code on German number plates. */
  plateCode?: string;
  weight: number;
  bounds: { south: number; north: number; west: number; east: number };
  /** Around it, as an address names them. */
  motorways: readonly string[];
  countryRoads: readonly string[];
  streets: readonly Street[];
};

const street = (name: string, lat: number, lng: number, heading: number): Street => ({
  name,
  lat,
  lng,
  heading,
});

const berlin: City = {
  name: 'Berlin',
  plateCode: 'B',
  weight: 80,
  bounds: { south: 52.46, north: 52.57, west: 13.28, east: 13.48 },
  motorways: ['A 10 near Ludwigsfelde', 'A 115 near Nikolassee', 'A 113 near Schönefeld'],
  countryRoads: ['B 158 between Ahrensfelde and Werneuchen', 'B 246 between Beelitz and Trebbin'],
  streets: [
    street('Karl-Marx-Allee', 52.51743, 13.43786, 100),
    street('Frankfurter Allee', 52.51531, 13.4592, 99),
    street('Kurfürstendamm', 52.50222, 13.32316, 75),
    street('Kantstraße', 52.50653, 13.30803, 94),
    street('Bismarckstraße', 52.51185, 13.31251, 89),
    street('Potsdamer Straße', 52.50143, 13.36418, 28),
    street('Friedrichstraße', 52.50905, 13.39011, 354),
    street('Schönhauser Allee', 52.5453, 13.41314, 6),
    street('Prenzlauer Allee', 52.5406, 13.42507, 19),
    street('Greifswalder Straße', 52.53808, 13.43537, 34),
    street('Danziger Straße', 52.53961, 13.42148, 104),
    street('Torstraße', 52.52915, 13.39758, 75),
    street('Invalidenstraße', 52.52955, 13.37958, 64),
    street('Müllerstraße', 52.5493, 13.35406, 314),
    street('Gneisenaustraße', 52.49079, 13.39762, 109),
    street('Mehringdamm', 52.4902, 13.38741, 10),
    street('Karl-Marx-Straße', 52.48065, 13.43575, 136),
    street('Sonnenallee', 52.48494, 13.43311, 124),
    street('Bundesallee', 52.4899, 13.33106, 179),
    street('Turmstraße', 52.5267, 13.3363, 276),
    street('Hauptstraße', 52.48082, 13.34709, 38),
    street('Landsberger Allee', 52.52733, 13.45132, 67),
    street('Warschauer Straße', 52.5115, 13.45264, 0),
    street('Leipziger Straße', 52.51016, 13.38673, 84),
  ],
};

const hamburg: City = {
  name: 'Hamburg',
  plateCode: 'HH',
  weight: 55,
  bounds: { south: 53.53, north: 53.61, west: 9.92, east: 10.09 },
  motorways: ['A 7 near Schnelsen', 'A 1 near Stapelfeld', 'A 24 near Reinbek'],
  countryRoads: ['B 404 between Schwarzenbek and Geesthacht', 'B 432 between Norderstedt and Nahe'],
  streets: [
    street('Reeperbahn', 53.54956, 9.95862, 94),
    street('Lübecker Straße', 53.56213, 10.03155, 40),
    street('Wandsbeker Chaussee', 53.56859, 10.05126, 72),
    street('Mundsburger Damm', 53.5682, 10.02409, 45),
    street('Hamburger Straße', 53.573, 10.03216, 45),
    street('Grindelallee', 53.56575, 9.98257, 324),
    street('Hoheluftchaussee', 53.58124, 9.97288, 326),
    street('Osterstraße', 53.5754, 9.95553, 287),
    street('Fruchtallee', 53.57144, 9.95482, 93),
    street('Max-Brauer-Allee', 53.55717, 9.94635, 52),
    street('Stresemannstraße', 53.56078, 9.95722, 111),
    street('Ludwig-Erhard-Straße', 53.54895, 9.98107, 102),
    street('Am Sandtorkai', 53.54314, 9.9919, 93),
    street('Spaldingstraße', 53.54963, 10.01885, 60),
    street('Rothenbaumchaussee', 53.57045, 9.98855, 2),
    street('Hammer Landstraße', 53.55445, 10.0614, 101),
    street('Habichtstraße', 53.59257, 10.05351, 126),
    street('Borgfelder Straße', 53.55514, 10.03764, 80),
    street('Budapester Straße', 53.55669, 9.964, 167),
    street('Hudtwalckerstraße', 53.5943, 9.99806, 78),
    street('Lange Reihe', 53.55865, 10.01291, 38),
    street('Wendenstraße', 53.54874, 10.0326, 69),
  ],
};

const muenchen: City = {
  name: 'München',
  plateCode: 'M',
  weight: 50,
  bounds: { south: 48.1, north: 48.18, west: 11.52, east: 11.63 },
  motorways: ['A 9 near Garching', 'A 8 near Holzkirchen', 'A 99 near Aschheim'],
  countryRoads: ['B 304 between Zorneding and Ebersberg', 'B 13 between Sauerlach and Holzkirchen'],
  streets: [
    street('Leopoldstraße', 48.1595, 11.58555, 12),
    street('Ludwigstraße', 48.1462, 11.57939, 17),
    street('Sonnenstraße', 48.13654, 11.56623, 344),
    street('Lindwurmstraße', 48.13148, 11.5628, 54),
    street('Landsberger Straße', 48.13952, 11.53762, 88),
    street('Arnulfstraße', 48.14302, 11.55132, 288),
    street('Dachauer Straße', 48.14633, 11.55832, 330),
    street('Nymphenburger Straße', 48.14936, 11.54917, 284),
    street('Schleißheimer Straße', 48.15843, 11.56253, 5),
    street('Prinzregentenstraße', 48.1399, 11.60388, 110),
    street('Rosenheimer Straße', 48.12701, 11.59702, 133),
    street('Bayerstraße', 48.13924, 11.55689, 90),
    street('Maximilianstraße', 48.13894, 11.58089, 106),
    street('Belgradstraße', 48.16184, 11.5747, 354),
    street('Nordendstraße', 48.15873, 11.57502, 358),
    street('Ismaninger Straße', 48.14486, 11.60241, 27),
    street('Einsteinstraße', 48.13604, 11.60753, 77),
    street('Hohenzollernstraße', 48.16059, 11.57154, 284),
    street('Tegernseer Landstraße', 48.10969, 11.57631, 197),
    street('Leonrodstraße', 48.15763, 11.54367, 48),
  ],
};

const koeln: City = {
  name: 'Köln',
  plateCode: 'K',
  weight: 40,
  bounds: { south: 50.9, north: 50.98, west: 6.89, east: 7.03 },
  motorways: ['A 4 near Kerpen', 'A 1 near Burscheid', 'A 555 near Wesseling'],
  countryRoads: [
    'B 265 between Erftstadt and Zülpich',
    'B 506 between Bergisch Gladbach and Kürten',
  ],
  streets: [
    street('Aachener Straße', 50.93677, 6.91263, 272),
    street('Venloer Straße', 50.94707, 6.92328, 124),
    street('Hohenzollernring', 50.93844, 6.93949, 8),
    street('Neusser Straße', 50.96156, 6.95443, 352),
    street('Subbelrather Straße', 50.95134, 6.92621, 307),
    street('Bonner Straße', 50.91803, 6.9605, 350),
    street('Luxemburger Straße', 50.92314, 6.93528, 214),
    street('Dürener Straße', 50.93026, 6.9151, 58),
    street('Zülpicher Straße', 50.92128, 6.91848, 65),
    street('Kalker Hauptstraße', 50.93825, 7.00367, 77),
    street('Siegburger Straße', 50.92591, 6.97773, 327),
    street('Frankfurter Straße', 50.95156, 7.01613, 141),
    street('Amsterdamer Straße', 50.96459, 6.9686, 6),
    street('Riehler Straße', 50.95645, 6.97062, 60),
    street('Salierring', 50.92772, 6.9441, 314),
    street('Hahnenstraße', 50.93618, 6.94286, 94),
    street('Ehrenfeldgürtel', 50.9479, 6.91436, 20),
    street('Gottesweg', 50.91146, 6.93954, 294),
    street('Höninger Weg', 50.91472, 6.94113, 187),
    street('Clevischer Ring', 50.96399, 7.00553, 26),
  ],
};

const frankfurt: City = {
  name: 'Frankfurt am Main',
  plateCode: 'F',
  weight: 35,
  bounds: { south: 50.09, north: 50.15, west: 8.62, east: 8.76 },
  motorways: ['A 5 near Friedberg', 'A 3 near Idstein', 'A 66 near Hofheim'],
  countryRoads: ['B 455 between Königstein and Eppstein', 'B 8 between Königstein and Glashütten'],
  streets: [
    street('Mainzer Landstraße (Gallus)', 50.10195, 8.6325, 81),
    street('Mainzer Landstraße (Güterplatz)', 50.10833, 8.65856, 66),
    street('Hanauer Landstraße (Osthafen)', 50.11305, 8.7167, 62),
    street('Hanauer Landstraße (Fechenheim)', 50.12357, 8.74284, 57),
    street('Eschersheimer Landstraße (Nordend)', 50.12427, 8.67476, 346),
    street('Eschersheimer Landstraße (Dornbusch)', 50.13994, 8.66991, 345),
    street('Berger Straße', 50.12154, 8.69838, 53),
    street('Bockenheimer Landstraße', 50.1189, 8.66012, 293),
    street('Friedberger Landstraße (Nordend)', 50.1254, 8.69193, 4),
    street('Friedberger Landstraße (Bornheim)', 50.13099, 8.69395, 25),
    street('Schweizer Straße', 50.10025, 8.68182, 152),
    street('Darmstädter Landstraße', 50.0976, 8.6911, 5),
    street('Adickesallee', 50.13145, 8.678, 90),
    street('Eckenheimer Landstraße', 50.12412, 8.68611, 354),
    street('Münchener Straße', 50.10749, 8.66841, 68),
    street('Wittelsbacherallee', 50.12244, 8.70924, 50),
    street('Mörfelder Landstraße', 50.09794, 8.68622, 48),
    street('Friedrich-Ebert-Anlage', 50.11065, 8.65812, 126),
    street('Textorstraße', 50.10222, 8.68854, 65),
  ],
};

const paris: City = {
  name: 'Paris',
  weight: 13,
  bounds: { south: 48.82, north: 48.9, west: 2.26, east: 2.41 },
  motorways: ['A 6 near Évry', 'A 13 near Orgeval', 'A 4 near Noisy-le-Grand'],
  countryRoads: [
    'D 906 between Chevreuse and Cernay-la-Ville',
    'D 607 between Ponthierry and Fontainebleau',
  ],
  streets: [
    street('Boulevard Voltaire', 48.85955, 2.37716, 132),
    street("Avenue d'Italie", 48.82396, 2.35783, 167),
    street('Boulevard de Magenta', 48.8716, 2.36043, 326),
    street('Rue La Fayette', 48.87666, 2.34658, 69),
    street('Avenue des Champs-Élysées', 48.87046, 2.30558, 115),
    street('Avenue de Clichy', 48.88905, 2.32305, 313),
    street('Boulevard Raspail', 48.8406, 2.33003, 344),
    street('Avenue du Général Leclerc', 48.82975, 2.32828, 212),
    street('Avenue de la Grande Armée', 48.87667, 2.28581, 298),
    street('Avenue de Flandre', 48.88955, 2.3755, 35),
  ],
};

const lyon: City = {
  name: 'Lyon',
  weight: 7,
  bounds: { south: 45.72, north: 45.78, west: 4.82, east: 4.88 },
  motorways: ['A 7 near Vienne', 'A 6 near Limonest', 'A 42 near Beynost'],
  countryRoads: ['D 306 between Limonest and Les Chères', 'D 389 between Craponne and Vaugneray'],
  streets: [
    street('Avenue Jean Jaurès (Saxe)', 45.7499, 4.84466, 202),
    street('Avenue Jean Jaurès (Jean Macé)', 45.74206, 4.83994, 203),
    street('Avenue Jean Jaurès (Gerland)', 45.73474, 4.83599, 198),
    street('Cours Gambetta (Saxe)', 45.75277, 4.8505, 114),
    street('Cours Gambetta (Garibaldi)', 45.75048, 4.8575, 116),
    street('Cours Albert Thomas', 45.74867, 4.8628, 116),
    street('Cours Vitton', 45.77004, 4.85806, 80),
    street('Cours Franklin Roosevelt', 45.76913, 4.84859, 85),
  ],
};

export const germanCities: readonly City[] = [berlin, hamburg, muenchen, koeln, frankfurt];
export const frenchCities: readonly City[] = [paris, lyon];

export function citiesOf(countryCode: string): readonly City[] {
  return countryCode === 'FR' ? frenchCities : germanCities;
}

const METRES_PER_DEGREE = 111_320;

/** The streets take turns, so that the vehicles spread evenly over them. */
export function streetOf(city: City, sequence: number): Street {
  const street = city.streets[sequence % city.streets.length];
  if (street === undefined) {
    throw new RangeError(`${city.name} has no streets`);
  }
  return street;
}

/** The point that lies so many metres further along the street. */
export function along(start: Street, metres: number): { lat: number; lng: number } {
  const heading = (start.heading * Math.PI) / 180;
  const parallel = Math.cos((start.lat * Math.PI) / 180);
  const lat = start.lat + (metres * Math.cos(heading)) / METRES_PER_DEGREE;
  const lng = start.lng + (metres * Math.sin(heading)) / (METRES_PER_DEGREE * parallel);
  return { lat: round6(lat), lng: round6(lng) };
}

function round6(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6;
}
