import { expect, test } from 'vitest';
import { findZone } from '../src/standard/time-zone.ts';
import cases from './cases/time-zones.json' with { type: 'json' };

test.each(cases as [string, number, number | string][])(
  'zone %s at %d is %s',
  (name, seconds, expected) => {
    const zone = findZone(name);
    expect(typeof zone === 'function' ? zone(seconds) : zone.error).toBe(expected);
  },
);
