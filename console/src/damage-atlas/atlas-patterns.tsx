/** The fills that tell the severities apart without colour: dots, lines and crossed lines. */
export function AtlasPatterns({ id }: { id: string }) {
  const pattern = { patternUnits: 'userSpaceOnUse', width: 9, height: 9 } as const;
  return (
    <svg className="atlas-patterns" aria-hidden="true">
      <defs>
        <pattern {...pattern} id={`${id}-light`}>
          <path className="atlas-tint atlas-severity-light" d="M0 0L9 0L9 9L0 9Z" />
          <path
            className="atlas-hatch atlas-dots atlas-severity-light"
            d="M2.2 2.2L2.3 2.2M6.7 6.7L6.8 6.7"
          />
        </pattern>
        <pattern {...pattern} id={`${id}-moderate`} patternTransform="rotate(45)">
          <path className="atlas-tint atlas-severity-moderate" d="M0 0L9 0L9 9L0 9Z" />
          <path className="atlas-hatch atlas-severity-moderate" d="M2 0L2 9M6.5 0L6.5 9" />
        </pattern>
        <pattern {...pattern} id={`${id}-high`} patternTransform="rotate(45)">
          <path className="atlas-tint atlas-severity-high" d="M0 0L9 0L9 9L0 9Z" />
          <path className="atlas-hatch atlas-severity-high" d="M4.5 0L4.5 9M0 4.5L9 4.5" />
        </pattern>
      </defs>
    </svg>
  );
}
