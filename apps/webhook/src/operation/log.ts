import { type DestinationStream, destination, type Logger, pino } from 'pino';

/** Writes one JSON object a line. */
export type Log = Logger;

/** Makes the log of the program; `write` takes whole lines, default standard output. */
export function createLog(write?: (line: string) => void): Log {
  const stream: DestinationStream = write === undefined ? destination({ sync: true }) : { write };
  return pino(
    {
      base: null,
      messageKey: 'message',
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (level) => ({ level }) },
    },
    stream,
  );
}
