import { memoize } from '@kubeadmit/base';
import { civilSeconds } from './civil-time.ts';

/** The offset from UTC, in seconds, that a zone has at an instant given in seconds since 1970. */
export type ZoneOffset = (seconds: number) => number;

/** The reason why a name is not a time zone, with Go's message. */
export interface ZoneError {
  /** The message of Go's `time.LoadLocation`. */
  readonly error: string;
}

const utc: ZoneOffset = () => 0;

// The folders of the time zone database.
const folders =
  /^(?:\.|A(?:frica|merica(?:\/(?:Argentina|Indiana|Kentucky|North_Dakota))?|ntarctica|rctic|sia|tlantic|ustralia)|Brazil|Canada|Chile|Etc|Europe|Indian|Mexico|Pacific|US)\/?$/;

/**
 * Finds a time zone by its name in the IANA database as Go's `time.LoadLocation`. The empty name, `UTC` and `Local`
 * are UTC, as on a server whose own zone is UTC.
 *
 * The data are those of the JavaScript engine.
 */
export function loadLocation(name: string): ZoneOffset | ZoneError {
  if (name === '' || name === 'UTC' || name === 'Local') return utc;
  if (name.includes('..') || name.startsWith('/') || name.startsWith('\\')) {
    return { error: 'time: invalid location name' };
  }
  if (name.includes('\0')) return { error: 'invalid argument' };
  if (folders.test(name)) return { error: 'is a directory' };
  return (isCasedLikeZone(name) ? zoneOfPlatform(name) : undefined) ?? unknownZone(name);
}

function unknownZone(name: string): ZoneError {
  return { error: `unknown time zone ${name}` };
}

// The names, and the words of names, that are not written with one capital and small letters after it.
const upperCaseNames =
  /^(?:UTC|UCT|GMT|GMT[+-]?0|Etc\/(?:UTC|UCT|GMT(?:[+-]?[0-9]{1,2})?)|EST|EST5EDT|CET|CST6CDT|EET|HST|MET|MST|MST7MDT|PST8PDT|WET|PRC|ROC|ROK|NZ|NZ-CHAT|GB|GB-Eire|US\/[A-Z][A-Za-z-]+|W-SU)$/;
const casedWord =
  /^(?:[A-Z][a-z]+|au|es|of|Baja(?:Norte|Sur)|ComodRivadavia|DeNoronha|DumontDUrville|EasterIsland|IN|LHI|ACT|NSW|McMurdo)$/;

/** Whether the name is written as in the time zone database, where upper and lower case count. */
function isCasedLikeZone(name: string): boolean {
  return upperCaseNames.test(name) || name.split(/[/_-]/).every((word) => casedWord.test(word));
}

function zoneOfPlatform(name: string): ZoneOffset | undefined {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      calendar: 'gregory',
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return undefined;
  }
  // Asking the platform takes microseconds, and policies ask about the same few instants.
  const local = memoize((seconds) => localSeconds(format, Number(seconds)));
  return (seconds) => local(String(seconds)) - seconds;
}

type Six = [number, number, number, number, number, number];

// `12/31/2023 AD, 19:00:00`; taking the text apart is twice as fast as asking for its parts.
function localSeconds(format: Intl.DateTimeFormat, seconds: number): number {
  const text = format.format(seconds * 1000);
  const [month, day, year, hour, minute, second] = (text.match(/\d+/g) ?? []).map(Number) as Six;
  const isBefore = text.includes('B');
  return civilSeconds({ year: isBefore ? 1 - year : year, month, day, hour, minute, second });
}
