import { words } from '@kubeadmit/random';
import type { Draw } from './draw.ts';

const units = ['ns', 'us', 'µs', 'μs', 'ms', 's', 'm', 'h', 's', 'h', 'm'];
const zones = [
  ...words(
    'America/New_York Europe/London Asia/Kolkata Australia/Lord_Howe UTC Africa/Monrovia',
    'Etc/GMT+5 Pacific/Apia Asia/Tehran Europe/Dublin America/Sao_Paulo Asia/Kathmandu',
  ),
  '',
  ...words(
    'Local ../x /x US/Eastern Zulu Egypt +01:00 -05:30 5:30 -0:30 +25:59 +01:60 :30 a:b 1:',
    'america/new_york',
  ),
];
const accessors = words(
  'getFullYear getMonth getDate getDayOfMonth getDayOfWeek getDayOfYear',
  'getHours getMinutes getSeconds getMilliseconds',
);

function duration(draw: Draw): string {
  const part = (): string => {
    const fraction = draw.pick(['', '', '.', `.${draw.digits(draw.pick([1, 3, 12]))}`]);
    return (draw.digits(draw.pick([1, 2, 4, 4, 21])) || '1') + fraction + draw.pick(units);
  };
  const parts = Array.from({ length: draw.pick([1, 1, 2, 3]) }, part).join('');
  return draw.mutate(draw.pick(['', '', '-', '+']) + parts);
}

function two(draw: Draw, limit: number): string {
  return String(draw.below(limit)).padStart(2, '0');
}

function timestamp(draw: Draw): string {
  const year = draw.pick(['0001', '9999', '2023', '2024', '1970', '1900', '0000', '2000']);
  const month = draw.chance(0.95) ? String(draw.below(12) + 1).padStart(2, '0') : two(draw, 99);
  const day = draw.chance(0.95) ? String(draw.below(28) + 1).padStart(2, '0') : two(draw, 33);
  const hour = draw.chance(0.95) ? two(draw, 24) : String(draw.below(30));
  const fraction = draw.pick(['', '', '', '.5', ',5', '.123456789', '.1234567891', '.100']);
  const zone = draw.pick([
    ...words('Z Z Z +00:00 -00:00 +07:00 -12:30 +05:30'),
    draw.pick(['z', '+24:01', '-12:60', '+25:00', '+0530', '']),
  ]);
  return draw.mutate(
    `${year}-${month}-${day}T${hour}:${two(draw, 60)}:${two(draw, 60)}${fraction}${zone}`,
  );
}

/** Conversions and accessors of timestamps and durations. */
export function timeFamily(draw: Draw): string {
  const t = `timestamp(${draw.rarelyWrong(draw.value(timestamp(draw)))})`;
  const d = `duration(${draw.rarelyWrong(draw.value(duration(draw)))})`;
  const accessor = draw.pick(accessors);
  const zone = draw.rarelyWrong(draw.value(draw.mutate(draw.pick(zones))));
  return draw.pick([
    `string(${t})`,
    `int(${t})`,
    `${t}.${accessor}()`,
    `${t}.${accessor}(${zone})`,
    `${t}.${accessor}(${zone})`,
    `string(${d})`,
    `int(${d})`,
    `${d}.${draw.pick(['getHours', 'getMinutes', 'getSeconds', 'getMilliseconds'])}()`,
    `${t} + ${d}`,
    `${t} - ${d}`,
    `${t} - timestamp(${draw.value(timestamp(draw))})`,
    `${d} + duration(${draw.value(duration(draw))})`,
    `${t} < timestamp(${draw.value(timestamp(draw))})`,
    `string(timestamp(${draw.value(draw.below(4e9) - 2e9)}))`,
  ]);
}
