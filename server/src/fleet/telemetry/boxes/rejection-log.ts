type Rejection = {
  provider: string | undefined;
  serial: string;
  reason: string;
  detail: string | undefined;
  /** How many messages of a delivery were rejected for the reason. */
  count: number;
};

export type RejectionLog = (rejection: Rejection) => void;

const intervalMs = 60_000;
const linesPerInterval = 10;

/** Logs a few rejections a minute, and how many were left out: any box can cause as many as it likes. */
export function rejectionLog(
  log: { warn(details: object, message: string): void },
  now = () => performance.now(),
): RejectionLog {
  let [beginning, lines, leftOut] = [now(), 0, 0];
  return (rejection) => {
    if (now() - beginning >= intervalMs) {
      if (leftOut > 0) log.warn({ leftOut }, 'more messages of boxes were rejected');
      [beginning, lines, leftOut] = [now(), 0, 0];
    }
    lines += 1;
    if (lines > linesPerInterval) leftOut += rejection.count;
    else log.warn(rejection, 'a message of a box was rejected');
  };
}
