import type { ReadVehicleStatus } from '@motorpool/client';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import { Age } from '../../values/age.tsx';
import { StateBadge } from '../../values/state-badge.tsx';
import classes from './vehicle-page.module.css';

type Signals = ReadVehicleStatus['signals'];
type TyreName = `tirePressure${'Front' | 'Rear'}${'Left' | 'Right'}`;

/** Doors, windows, locks, tyres and the charge port; what is open is drawn so, and said below. */
export function CarFromAbove({ signals }: { signals: Signals }) {
  const { vehicle } = useTexts();
  const areDoorsOpen = signals.doorsClosed?.value === false;
  const areWindowsOpen = signals.windowsClosed?.value === false;
  const isPluggedIn = signals.isPluggedIn?.value === true;
  return (
    <>
      <div className={classes.car}>
        <Pressures
          side="left"
          names={['tirePressureFrontLeft', 'tirePressureRearLeft']}
          signals={signals}
        />
        <svg viewBox="0 0 150 250" role="img" aria-label={vehicle.drawing}>
          <g className={classes.wheel}>
            <rect x="22" y="44" width="12" height="34" rx="4" />
            <rect x="116" y="44" width="12" height="34" rx="4" />
            <rect x="22" y="172" width="12" height="34" rx="4" />
            <rect x="116" y="172" width="12" height="34" rx="4" />
          </g>
          <path
            className={classes.body}
            d="M46 18c8-8 50-8 58 0 12 12 17 32 17 56v104c0 24-3 42-12 54-6 8-62 8-68 0-9-12-12-30-12-54V74c0-24 5-44 17-56z"
          />
          <path className={classes.glass} d="M42 86c12-12 54-12 66 0l-7 22c-14-5-38-5-52 0z" />
          <path className={classes.glass} d="M49 190c14 4 38 4 52 0l6 20c-12 8-52 8-64 0z" />
          <g className={classes.glass} data-alert={areWindowsOpen || undefined}>
            <path d="M39 96l7 18v30h-8z" />
            <path d="M111 96l-7 18v30h8z" />
            <path d="M38 150h8v34l-6 14z" />
            <path d="M112 150h-8v34l6 14z" />
          </g>
          <g className={classes.line} data-alert={areDoorsOpen || undefined}>
            {areDoorsOpen ? (
              <path d="M30 100L10 126M120 100l20 26M30 150l-20 26M120 150l20 26" />
            ) : (
              <path d="M29 94h6M29 147h8M29 200h8M121 94h-6M121 147h-8M121 200h-8" />
            )}
          </g>
          <path className={classes.line} d="M50 30c14-5 36-5 50 0M44 62c18-8 44-8 62 0" />
          {signals.headlightsActive?.value && (
            <path className={classes.lights} d="M40 24l8-8-4-14-14 6zM110 24l-8-8 4-14 14 6z" />
          )}
          {isPluggedIn && <path className={classes.cable} d="M29 216c-14 0-10 16-24 16" />}
        </svg>
        <Pressures
          side="right"
          names={['tirePressureFrontRight', 'tirePressureRearRight']}
          signals={signals}
        />
      </div>
      <Remarks signals={signals} />
    </>
  );
}

type PressureProps = { side: 'left' | 'right'; names: TyreName[]; signals: Signals };

function Pressures({ side, names, signals }: PressureProps) {
  const { vehicleFields } = useTexts();
  const formats = useFormats();
  return (
    <div className={classes.pressures} data-side={side}>
      {names.map((name) => {
        const { value, measuredAt } = signals[name] ?? {};
        return (
          <span key={name} title={vehicleFields[`status.${name}`]}>
            {value !== undefined && (
              <>
                {formats.bar(value)}
                <Age at={measuredAt} />
              </>
            )}
          </span>
        );
      })}
    </div>
  );
}

function Remarks({ signals }: { signals: Signals }) {
  const { drawn } = useTexts().vehicle;
  const { isLocked, doorsClosed, windowsClosed, isPluggedIn, isCharging } = signals;
  const ok = { tone: 'neutral', icon: 'check' } as const;
  const alert = { tone: 'warning', icon: 'triangle-alert' } as const;
  return (
    <div className={classes.remarks}>
      {isLocked?.value === true && <StateBadge tone="neutral" icon="lock" text={drawn.locked} />}
      {isLocked?.value === false && (
        <StateBadge tone="warning" icon="lock-open" text={drawn.unlocked} />
      )}
      {doorsClosed?.value === true && <StateBadge {...ok} text={drawn.doorsClosed} />}
      {doorsClosed?.value === false && <StateBadge {...alert} text={drawn.doorsOpen} />}
      {windowsClosed?.value === true && <StateBadge {...ok} text={drawn.windowsClosed} />}
      {windowsClosed?.value === false && <StateBadge {...alert} text={drawn.windowsOpen} />}
      {isCharging?.value ? (
        <StateBadge tone="good" icon="zap" text={drawn.charging} />
      ) : (
        isPluggedIn?.value && <StateBadge tone="neutral" icon="plug-zap" text={drawn.pluggedIn} />
      )}
    </div>
  );
}
