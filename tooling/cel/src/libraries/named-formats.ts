import { words } from '@kubeadmit/random';
import type { Draw } from './draw.ts';

const names = words(
  'dns1123Label dns1123Subdomain dns1035Label qualifiedName dns1123LabelPrefix',
  'dns1123SubdomainPrefix dns1035LabelPrefix labelValue uri uuid byte date',
  'datetime',
);
const texts = [
  'my-name',
  'a',
  '',
  ...words(
    'A -a a- a.b a..b 1a example.com/MyName /x x/ a/b/c my_value http://a/b /a x',
    '123e4567-e89b-12d3-a456-426614174000 123E4567E89B12D3A456426614174000 aGVsbG8= aGVsbG8',
    'aG== 2021-01-01 2021-02-29 2020-02-29 2021-1-1 2021-01-01T00:00:00Z',
    '2021-01-01t23:59:59.5+07:00 2021-01-01T24:00:00Z 2021-01-01T00:00:00 a-- é- é ab-',
    '0000-00-00',
  ),
  'a\n',
];

/** Calls of the named formats. */
export function namedFormatsFamily(draw: Draw): string {
  const long =
    'a'.repeat(draw.pick([62, 63, 64, 253, 254])) + draw.pick(['', '-', '.a', '/b', 'é']);
  const text = draw.rarelyWrong(
    draw.value(draw.mutate(draw.chance(0.1) ? long : draw.pick(texts))),
  );
  const name = draw.pick(names);
  return draw.pick([
    `format.${name}().validate(${text})`,
    `format.${name}().validate(${text})`,
    `format.named(${draw.value(name)}).value().validate(${text})`,
    `format.named(${draw.rarelyWrong(draw.value(draw.mutate(name)))}).hasValue()`,
    `format.${name}() == format.${draw.pick(names)}()`,
    `format.named(${draw.value(name)}) == optional.of(format.${draw.pick(names)}())`,
  ]);
}
