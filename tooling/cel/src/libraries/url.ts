import { phrases, words } from '@kubeadmit/random';
import type { Draw } from './draw.ts';

const schemes = [
  ...words('http:// https:// HTTP:// ftp://'),
  '',
  ...words('/ // mailto: a-b.c+1: 1http:// : * http: http:/ pg://'),
];
const users = ['', '', 'user@', 'u:p@', 'u%20:p@w@', 'us er@', 'é@', 'u%zz@'];
const hosts = [
  ...phrases`
    example.com  [::1]  [fe80::1%25eth0]  [::1  x[::1]  [1.2.3.4]  EXAMPLE.com  a b  é.com
    %41.com  %c3%a9.com
  `,
  '',
  ...words('h1:1,h2:2 [zz] [fe80::1%25e%20n] [::1%25]'),
];
const ports = ['', '', '', ':80', ':', ':x', ':80:90', ':é'];
const segments = [
  'a',
  'b%20c',
  '',
  ...phrases`..  %zz  é  x y  a;b  %2F  a,b  !*  [x]  %C3%A9  a:b  %`,
];
const queries = ['', '', ...words('? ?a=1&b=2&a=3 ?x=%zz&y=%41+b ?a;b&c ?é=ü ??a ?a ?=b&& ?a=%')];
const fragments = ['', '', '', '#f', '#f%zz', '#f é', '#'];

function text(draw: Draw): string {
  const path = draw.pick([
    '',
    `/${draw.pick(segments)}`,
    `/${draw.pick(segments)}/${draw.pick(segments)}`,
  ]);
  return draw.mutate(
    draw.pick(schemes) +
      draw.pick(users) +
      draw.pick(hosts) +
      draw.pick(ports) +
      path +
      draw.pick(queries) +
      draw.pick(fragments),
  );
}

/** Calls of the functions on URLs. */
export function urlFamily(draw: Draw): string {
  const written = text(draw);
  const url = `url(${draw.rarelyWrong(draw.value(written))})`;
  const accessor = draw.pick(
    words('getScheme getHost getHostname getPort getEscapedPath getQuery'),
  );
  const call = draw.pick([
    () => url,
    () => `isURL(${draw.value(written)})`,
    () => `${url}.${accessor}()`,
    () => `${url}.${accessor}()`,
    () => `${url} == url(${draw.value(draw.mutate(written))})`,
    () => `${url} == ${draw.value('x')}`,
  ]);
  return call();
}
