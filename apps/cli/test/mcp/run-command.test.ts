import { describe, expect, it } from 'vitest';
import { captured, toolAnswer } from '../../src/mcp/run-command.ts';
import { exitCode } from '../../src/process/terminal.ts';

const tooLong =
  'error: the answer is longer than 1048576 characters; name fewer files or one policy';

describe('the answer of a tool', () => {
  it('has the outputs, without the last line breaks and without empty ones', async () => {
    const answer = await captured('/', async ({ stdout, stderr, print }) => {
      stdout.write('a\n');
      print('b\n\n');
      stderr.write(' \n');
      return exitCode.success;
    });
    expect(answer).toEqual({ texts: ['a\nb'], isError: false });
  });

  it('joins characters that are written in two chunks', async () => {
    const bytes = Buffer.from('ä');
    const answer = await captured('/', async ({ stdout }) => {
      stdout.write(bytes.subarray(0, 1));
      stdout.write(bytes.subarray(1));
      return exitCode.usage;
    });
    expect(answer).toEqual({ texts: ['ä'], isError: true });
  });

  it('is an error if it is too long, and the rest is not kept', async () => {
    const line = 'x'.repeat(2 ** 20);
    const answer = await captured('/', async ({ stdout }) => {
      // Together they are longer than any string of V8.
      for (let i = 0; i < 1024; i++) stdout.write(line);
      return exitCode.success;
    });
    expect(answer).toEqual({ texts: [tooLong], isError: true });
  });

  it('counts all texts together', () => {
    const half = 'x'.repeat(2 ** 19);
    expect(toolAnswer([half, half], false)).toEqual({ texts: [half, half], isError: false });
    expect(toolAnswer([half, half, 'x'], false)).toEqual({ texts: [tooLong], isError: true });
  });
});
