/** As in Directive 2007/46/EC and Regulation (EU) 2018/858; trailers and two- to four-wheelers are not told apart. */
export const vehicleClasses = ['M1', 'N1', 'N2', 'N3', 'M2', 'M3', 'O', 'L'] as const;
export type VehicleClass = (typeof vehicleClasses)[number];

export const usages = ['private', 'rental', 'taxi'] as const;
export type Usage = (typeof usages)[number];

/** The schemas' texts. */
export const vehicleClassTexts = {
  type: 'string',
  description:
    'The class of the vehicle in European law: `M1` cars, `N1` vans and other goods vehicles up to 3.5 t, `N2` up to 12 t, `N3` ' +
    'above, `M2` buses up to 5 t, `M3` above, `O` trailers, `L` two- to four-wheelers such as motorcycles.',
  examples: ['N1'],
} as const;

export const usageTexts = {
  type: 'string',
  description: 'How the vehicle is used: by its keeper, let to drivers, or to carry passengers.',
  examples: ['rental'],
} as const;
