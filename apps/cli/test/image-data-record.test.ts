import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { ImageLayout, ImageRecorder, makeImageVerifier } from '@kubeadmit/images';
import { RemoteImages } from '@kubeadmit/images/remote';
import {
  type Intercept,
  LayoutWriter,
  makeKeys,
  serveImages,
  signatureLayer,
  storeLayers,
  withFolder,
  writeFiles,
} from '@kubeadmit/test-support';
import { expect, test } from 'vitest';
import { registryClient } from '../src/input/elsewhere/registries.ts';

interface Case {
  readonly name: string;
  readonly intercept?: Intercept;
  readonly config?: Readonly<Record<string, string>>;
  readonly error?: RegExp;
}

const password = Buffer.from('me:secret').toString('base64');

/** Indexes of which each is in the one before it. */
const indexes: { readonly text: string; readonly digest: string }[] = [];
for (let depth = 0; depth < 4; depth++) {
  const [inner] = indexes;
  const manifests = inner === undefined ? [] : [{ digest: inner.digest, size: inner.text.length }];
  const text = JSON.stringify({ manifests });
  indexes.unshift({ text, digest: `sha256:${createHash('sha256').update(text).digest('hex')}` });
}

const cases: readonly Case[] = [
  { name: 'records an image with its signatures' },
  {
    name: 'rejects content with another digest',
    intercept: ({ url = '' }, response) => {
      if (!url.includes('/blobs/')) return false;
      response.end('{}');
      return true;
    },
    error: /digest mismatch: expected sha256:/,
  },
  {
    name: 'rejects content that is larger than announced',
    intercept: ({ url = '' }, response) => {
      if (!url.includes('/blobs/')) return false;
      response.end(Buffer.alloc(100_000));
      return true;
    },
    error: /^larger than \d+ bytes$/,
  },
  {
    name: 'refuses a redirect to plain HTTP on the network',
    intercept: ({ url = '' }, response) => {
      if (!url.includes('/blobs/')) return false;
      response.writeHead(307, { location: 'http://images.example/blob' }).end();
      return true;
    },
    error: /^redirected to http:\/\/images\.example\/blob; only https:\/\/ URLs are allowed$/,
  },
  {
    name: 'refuses redirects without an end',
    intercept: ({ url = '' }, response) => {
      if (!url.includes('/blobs/')) return false;
      response.writeHead(307, { location: url }).end();
      return true;
    },
    error: /^redirected more than 10 times$/,
  },
  {
    name: 'refuses a redirect to an invalid address',
    intercept: ({ url = '' }, response) => {
      if (!url.includes('/blobs/')) return false;
      response.writeHead(307, { location: 'https://[' }).end();
      return true;
    },
    error: /^redirected to an invalid URL$/,
  },
  {
    name: 'reports that referrers cannot be listed',
    intercept: ({ url = '' }, response) => {
      if (!url.includes('/referrers/')) return false;
      response.writeHead(500).end();
      return true;
    },
    error: /^the response to \/v2\/team\/app\/referrers\/sha256:[0-9a-f]+ is 500 /,
  },
  {
    name: 'refuses a list of referrers of several pages',
    intercept: ({ url = '' }, response) => {
      if (!url.includes('/referrers/')) return false;
      response.writeHead(200, { link: '<?n=1>; rel="next"' }).end('{"manifests":[]}');
      return true;
    },
    error: /^lists of referrers with several pages are not supported$/,
  },
  {
    name: 'refuses indexes in indexes in indexes',
    intercept: ({ url = '' }, response) => {
      const at = url.includes('/manifests/1.0')
        ? 0
        : indexes.findIndex(({ digest }) => url.endsWith(digest));
      if (at < 0) return false;
      response.end(indexes[at]?.text);
      return true;
    },
    error: /^indexes are nested more than 2 levels deep$/,
  },
  {
    name: 'reports missing rights',
    intercept: (_request, response) => {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="test"' }).end();
      return true;
    },
    error: /^the registry requires credentials; run `docker login localhost:\d+`$/,
  },
  {
    name: 'sends the credentials for the registry',
    config: { auth: password },
    intercept: ({ headers }, response) => {
      if (headers.authorization === `Basic ${password}`) return false;
      response.writeHead(401, { 'www-authenticate': 'Basic realm="test"' }).end();
      return true;
    },
  },
  {
    name: 'fetches a token with the credentials',
    config: { auth: password },
    intercept: ({ headers, url = '' }, response, host) => {
      if (url.startsWith('/token')) {
        const isMine = headers.authorization === `Basic ${password}`;
        response.end(JSON.stringify({ token: isMine ? 'mine' : 'other' }));
        return true;
      }
      if (headers.authorization === 'Bearer mine') return false;
      const challenge = `Bearer realm="http://${host}/token",service="test"`;
      response.writeHead(401, { 'www-authenticate': challenge }).end();
      return true;
    },
  },
];

test.each(cases)('$name', ({ intercept = () => false, config, error }) =>
  withFolder(async (folder) => {
    const layout = new LayoutWriter(join(folder, 'served'));
    const { host, close } = await serveImages(layout.folder, intercept);
    try {
      const repository = `${host}/team/app`;
      const image = `${repository}:1.0`;
      const keys = makeKeys();
      const { digest } = layout.image(image);
      storeLayers(layout, repository, digest, [signatureLayer(layout, digest, keys)]);
      const auths = { [host]: config ?? {} };
      writeFiles(folder, { 'docker/config.json': JSON.stringify({ auths }) });
      const output = join(folder, 'recorded');
      const env = { DOCKER_CONFIG: join(folder, 'docker') };
      const limits = { maxFileSize: 2 ** 20, timeout: 10_000 };
      const images = new RemoteImages((name) => registryClient(name, limits, env));
      const recorder = new ImageRecorder(output, images);
      if (error !== undefined) {
        await expect(recorder.record(image)).rejects.toThrow(error);
        return;
      }
      expect(await recorder.record(image)).toEqual({ digest, signatures: 1 });
      const registry = new ImageLayout(output);
      const verifier = makeImageVerifier({ registry, clock: () => 0 });
      expect(verifier.digestOf(image)).toEqual({ digest });
      expect(verifier.metadataOf?.(image)).toMatchObject({
        data: { image, configData: { architecture: 'amd64' } },
      });
    } finally {
      close();
    }
  }),
);
