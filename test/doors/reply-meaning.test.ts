// What replies mean, through cells and the page: bodies of the frameworks and gateways that people meet.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { SandboxReply } from 'apps-script-host/internet/sandboxed';
import { sampleOf } from '../sample';
import { createWorld, FAST, GOOD, reply, type World } from './world';

const MUG = 'B0XKT7M4QN';
const OTHER = 'B0RWD92FHC';

let world: World;
afterEach(() => world.stop());

/** A service that answers everything with one reply, or in turn with several. */
async function against(...replies: readonly SandboxReply[]): Promise<void> {
  world = createWorld({
    says: (_asin, _own, nth) => replies[Math.min(nth, replies.length) - 1] ?? reply(200, GOOD),
  });
  await world.connect(FAST);
}

const ONE_BY_ONE = { ...FAST, quota: { calls: 1, perSeconds: 1, burst: 1 } };

const show = (asin = MUG, fields = 'profit', market = 'US') =>
  world.show('ANALYZE', asin, market, fields);
const textOf = async (asin = MUG, market = 'US') =>
  (await show(asin, 'profit', market)).error?.message;

const page = (title: string, text = '') =>
  `<!DOCTYPE html>\n<html><head><title>${title}</title><script>var token = "x"</script></head><body><h1>${title}</h1>${text}</body></html>`;

const NGINX_403 =
  '<html>\r\n<head><title>403 Forbidden</title></head>\r\n<body>\r\n<center><h1>403 Forbidden</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>';
const AKAMAI =
  "<HTML><HEAD>\n<TITLE>Access Denied</TITLE>\n</HEAD><BODY>\n<H1>Access Denied</H1>\nYou don't have permission to access this server.<P>\nReference #18.2f7b\n</BODY></HTML>";
const CLOUDFLARE = page('Just a moment...', 'Enable JavaScript and cookies. Error 1020');
const HEROKU = page('Application Error', 'Offline for Maintenance');
const VERCEL = 'The page could not be found\n\nNOT_FOUND\n\nfra1::abc-123\n';
const SPRING_404 = {
  ...{ timestamp: '2026-01-05T09:00:00Z', status: 404, error: 'Not Found' },
  path: '/v1/analyze',
};
const FASTAPI_BODY = {
  detail: [{ type: 'missing', loc: ['body'], msg: 'Field required', input: null }],
};

const REFUSED = 'the service refused the key';
const PLAN = "the key's plan is used up";
const BUSY = 'the service has a problem right now';
const ADDRESS = 'the address does not lead to the analysis service';
const UNKNOWN = ' is not sold on Amazon US';
const NOT_READY = 'the service is still working on this product';
const FORM = 'the service could not read the request';
const REJECTED = 'the service rejected the request';
const ODD = "the service's answer could not be read";

type Case = readonly [who: string, status: number, body: object | string, says: string];

describe('the first reply of an address', () => {
  it.each(
    sampleOf<Case>(
      'first replies',
      [
        ['Express, no key', 401, { error: 'Unauthorized' }, REFUSED],
        ['FastAPI, no key', 403, { detail: 'Not authenticated' }, REFUSED],
        ['Django REST', 403, { detail: 'Authentication credentials were not provided.' }, REFUSED],
        ['Laravel', 401, { message: 'Unauthenticated.' }, REFUSED],
        ['AWS API Gateway', 403, { message: 'Forbidden' }, REFUSED],
        ['Kong', 401, { message: 'No API key found in request' }, REFUSED],
        ['Azure APIM', 401, { statusCode: 401, message: 'Invalid subscription key.' }, REFUSED],
        [
          'Azure APIM as 403',
          403,
          { message: 'Access denied due to invalid subscription key' },
          REFUSED,
        ],
        ['Google', 400, { error: { code: 400, message: 'API key not valid.' } }, REFUSED],
        ['a page that names the key', 403, page('Forbidden', 'Your API key is invalid.'), REFUSED],
        ['Azure APIM, spent', 403, { message: 'Out of call volume quota.' }, PLAN],
        ['another plan', 403, { message: 'Your plan does not allow this' }, PLAN],
        [
          'another market',
          403,
          { message: 'Your subscription does not include the UK.' },
          REJECTED,
        ],
        ['another market, 402', 402, { error: 'Plan is not valid for this marketplace' }, REJECTED],
        ['nginx', 403, NGINX_403, BUSY],
        ['Akamai', 403, AKAMAI, BUSY],
        ['Cloudflare', 403, CLOUDFLARE, BUSY],
        ['Cloudflare, as text', 403, 'error code: 1020', BUSY],
        ['Cloudflare, origin down', 522, 'error code: 522', BUSY],
        ['nginx, upstream', 502, page('502 Bad Gateway'), BUSY],
        ['AWS API Gateway, no path', 403, { message: 'Missing Authentication Token' }, ADDRESS],
        ['FastAPI, no path', 404, { detail: 'Not Found' }, ADDRESS],
        ['Spring, no path', 404, SPRING_404, ADDRESS],
        ['Express, no path', 404, page('Error', '<pre>Cannot POST /v1/analyze</pre>'), ADDRESS],
        ['Rails, no path', 404, { status: 404, error: 'Not Found' }, ADDRESS],
        ['Vercel, no path', 404, VERCEL, ADDRESS],
        ['Kong, no path', 404, { message: 'no Route matched with those values' }, ADDRESS],
        ['a site', 200, page('Welcome'), ADDRESS],
        ['Django, unknown', 404, { detail: 'No Product matches the given query.' }, UNKNOWN],
        ['an echo, unknown', 404, { asin: MUG, error: 'not found' }, UNKNOWN],
        ['FastAPI, form', 422, FASTAPI_BODY, FORM],
        ['FastAPI, JSON', 422, { detail: [{ loc: ['body', 0], msg: 'JSON decode error' }] }, FORM],
        ['Django, form', 400, { asin: ['This field is required.'] }, FORM],
        ['Laravel, form', 422, { message: 'The asin field is required.' }, FORM],
        ['Spring, form', 415, { status: 415, error: 'Unsupported Media Type' }, FORM],
        ['Express, form', 400, { error: 'Request body is missing' }, FORM],
        [
          'FastAPI, this product',
          422,
          { detail: [{ loc: ['body', 'asin'], msg: 'bad asin' }] },
          REJECTED,
        ],
        ['accepted', 202, '', NOT_READY],
        ['accepted, with words', 202, { message: 'Analysis in progress' }, NOT_READY],
        ['pending', 200, { status: 'pending' }, NOT_READY],
        ['pending, with blanks', 200, { status: 'processing', profit: null, roi: null }, NOT_READY],
        ['pending, in words', 200, { message: 'Still processing, check back soon' }, NOT_READY],
        ['no content', 204, '', UNKNOWN],
        ['no results', 200, [], UNKNOWN],
        ['no data', 200, { data: null }, UNKNOWN],
        ['no products', 200, { status: 'ok', products: [], total: 0 }, UNKNOWN],
        ['a code for nothing', 200, { code: 0, msg: 'success', data: null }, UNKNOWN],
        ['Lambda', 200, { errorMessage: 'Task timed out after 3.00 seconds' }, BUSY],
        ['an error of their own', 200, { error: 'Internal server error' }, BUSY],
        ['an error with the product', 200, { asin: MUG, error: 'Upstream timed out' }, BUSY],
        ['an error at work', 200, { error: 'Error while processing the ASIN' }, REJECTED],
        ['nothing in a database', 200, { error: 'ASIN not found in our database' }, UNKNOWN],
        [
          'a plan, and how to reach us',
          403,
          { error: 'Your plan does not include this. Contact us' },
          PLAN,
        ],
        ['a status inside', 200, { statusCode: 503, message: 'x' }, BUSY],
        ['an error in a list', 200, [{ error: 'Internal server error' }], BUSY],
        ['a refusal with the product', 200, { asin: MUG, market: 'US', message: 'No.' }, REJECTED],
        [
          'zeros beside an error',
          200,
          { error: 'Bad input', profit: 0, roi: 0, fees: 0 },
          REJECTED,
        ],
      ],
      15,
    ),
  )('of %s: %d', async (_who, status, body, says) => {
    await against(reply(status, body));
    expect(await textOf()).toContain(says);
  });

  it('that cannot read the form ends a list at once, with one call', async () => {
    await against(reply(422, FASTAPI_BODY));
    await world.connect(ONE_BY_ONE);
    const { value } = await world.show('ANALYZE', [[MUG], [OTHER]], 'US', 'profit');
    expect(value).toEqual([[expect.stringContaining(FORM)], [expect.stringContaining(FORM)]]);
    expect(world.requests).toHaveLength(1);
    expect(await textOf('B0TZ4LQ8KV', 'UK')).toContain('Field required');
  });

  it('that a plan lacks one market leaves the other one alone', async () => {
    await against(reply(403, { error: 'Your plan does not include the UK' }), reply(200, GOOD));
    expect(await textOf(MUG, 'UK')).toContain(`${REJECTED}: Your plan does not include the UK`);
    expect((await show()).value).toBe(9.85);
  });
});

describe('an analysis', () => {
  const ASKED = { asin: MUG, ...GOOD };
  const MONEY = {
    ...GOOD,
    profit: { amount: 9.85, currency: 'USD' },
    fees: { value: '11.65', currencyCode: 'USD' },
  };

  it.each(
    sampleOf<[string, object | string]>(
      'analyses',
      [
        ['in a list', [ASKED]],
        ['in data, in a list', { data: [ASKED] }],
        ['in results', { results: [GOOD], total: 1 }],
        ['in three wrappers', { response: { payload: { body: ASKED } } }],
        ['in wrappers of any name', { ok: true, x: [{ y: { z: [GOOD] } }] }],
        ['under its ASIN', { [MUG]: GOOD }],
        ['under its market', { US: { [MUG]: GOOD } }],
        ['as a text in JSON', { statusCode: 200, body: JSON.stringify(GOOD) }],
        ['as a text in a text', JSON.stringify(JSON.stringify({ data: JSON.stringify([GOOD]) }))],
        ['with its amounts in objects', MONEY],
        ['behind a guard', `)]}',\n${JSON.stringify(GOOD)}`],
        ['behind another guard', `\uFEFFwhile(1);${JSON.stringify(GOOD)}`],
        ['beside NaN', JSON.stringify(GOOD).replace('0.8565', 'NaN').replace('12', '-Infinity')],
        ['with the request', { request: { asin: MUG, fees: 1, cost: 2 }, result: GOOD }],
        ['with a comparison of fewer figures', { ...GOOD, fbm: { profit: 1, fees: 2 } }],
      ],
      5,
    ),
  )('is read %s', async (_where, body) => {
    await against(reply(200, body));
    const { value } = await show(MUG, 'profit, fees, eligible');
    expect(value).toEqual([[9.85, 11.65, true]]);
  });

  it.each<[string, object | string, string]>([
    ['one of two in a list', [GOOD, GOOD], 'more than one analysis'],
    ['one of two wrappers', { a: GOOD, b: GOOD }, 'more than one analysis'],
    ['one inside another', { ...GOOD, data: GOOD }, 'more than one analysis'],
    ['four levels down', { a: { b: { c: { d: GOOD } } } }, 'no analysis'],
    ['under another ASIN', { [OTHER]: GOOD }, 'another product'],
    ['beside another ASIN', { asin: OTHER, payload: [GOOD] }, 'another product'],
    [
      'as a text, of another product',
      { body: JSON.stringify({ asin: OTHER, ...GOOD }) },
      'another',
    ],
    ['under another market', { DE: GOOD }, 'another market'],
    ['in another currency', { ...GOOD, profit: { amount: 9.85, currency: 'EUR' } }, 'currency'],
    ['with a figure twice', '{"profit":1,"roi":2,"profit":3}', 'it gives profit twice'],
  ])('is not read %s', async (_where, body, why) => {
    await against(reply(200, body));
    const text = await textOf();
    expect(text).toContain(ODD);
    expect(text).toContain(why);
  });

  it('has blanks for what cannot be read, and what was sent instead under its name', async () => {
    const body = { ...GOOD, eligible: 'hazmat', rank_drops_30d: 17.4, roi: 'TBD' };
    await against(reply(200, body));
    const fields = 'profit, roi, fees, eligible, rank_drops_30d';
    expect((await show(MUG, fields)).value).toEqual([[9.85, null, 11.65, null, null]]);
    const { value } = await world.rpc('connection.check');
    expect(JSON.stringify(value?.recognised)).toContain('hazmat');
  });

  it('may come with a warning, which is one of its fields', async () => {
    const error = 'No buy box; used lowest offer';
    await against(reply(200, { ...GOOD, error, warnings: ['a', 'b'] }));
    expect((await show(MUG, 'profit, error, warnings')).value).toEqual([[9.85, error, 'a; b']]);
  });

  it('may say isEligible, and the unit of its ROI by its name', async () => {
    await against(reply(200, { profit: 9.85, roi_percent: 85, fees: 11.65, isEligible: false }));
    expect((await show(MUG, 'eligible, roi')).value).toEqual([[false, 0.85]]);
  });
});

describe('a reply among good answers', () => {
  const ASINS = Array.from({ length: 12 }, (_, i) => `B00000${String(1_000 + i)}`);
  const NOT_FOUND_PAGE = reply(404, page('404 Not Found'));
  /** So many replies, with good ones before and after. */
  const amid = async (said: SandboxReply, count: number) =>
    against(reply(200, GOOD), ...Array.from({ length: count }, () => said), reply(200, GOOD));

  it.each(
    sampleOf<[string, SandboxReply]>(
      'tried again',
      [
        ['403 with a page', reply(403, NGINX_403)],
        ['403 with a bot check', reply(403, CLOUDFLARE)],
        ['403 with nothing', reply(403, '')],
        ['403 with one word', reply(403, { message: 'Forbidden' })],
        ['401 with a page', reply(401, page('401 Authorization Required'))],
        ['200 with a page of maintenance', reply(200, HEROKU)],
        ['200 with words of maintenance', reply(200, 'Down for maintenance')],
        ['200 with nothing', reply(200, '')],
        ['302 to somewhere', reply(302, '', { location: '/maintenance' })],
        ['400 with a page', reply(400, page('400 Bad Request'))],
        ['401 of a service behind it', reply(401, { error: 'Authentication service unavailable' })],
        ['409 with nothing', reply(409, '')],
        ['423', reply(423, { error: 'Locked' })],
        ['200 with a connection that broke', reply(200, { error: 'socket hang up' })],
        ['400 with a limit of speed', reply(400, { error: 'Rate limit exceeded' })],
        [
          '200 with a note about the limit',
          reply(200, { Note: '5 calls per minute, 500 per day' }),
        ],
      ],
      5,
    ),
  )('is tried again: %s', async (_what, said) => {
    await amid(said, 1);
    expect((await show(MUG)).value).toBe(9.85);
    expect((await show(OTHER)).value).toBe(9.85);
    expect(world.requests).toHaveLength(3);
  });

  const OUTAGES: readonly (readonly [string, SandboxReply])[] = [
    ['403 with a page', reply(403, NGINX_403)],
    ['a page of maintenance', reply(200, HEROKU)],
    ['404 with a page', NOT_FOUND_PAGE],
    ['404 with JSON', reply(404, { detail: 'Not Found' })],
  ];
  const list = async () => {
    const asins = ASINS.slice(0, 4).map((one) => [one]);
    const { value } = await world.show('ANALYZE', asins, 'US', 'profit');
    return [value].flat(2);
  };

  it.each(OUTAGES)(
    'of three products holds calls up, and then all are asked: %s',
    async (_w, said) => {
      await amid(said, 3);
      await world.connect(ONE_BY_ONE);
      await show(MUG);
      expect(await list()).toEqual([9.85, 9.85, 9.85, 9.85]);
      expect(world.requests).toHaveLength(8);
    },
  );

  it.each(OUTAGES)(
    'that goes on is waited for in longer and longer pauses: %s',
    async (_w, said) => {
      await amid(said, 6);
      await world.connect(ONE_BY_ONE);
      await show(MUG);
      for (const one of await list())
        expect(one).toContain('waiting for the service, which has a problem');
      for (let round = 0; round < 3; round++) {
        await world.wait(100_000);
        await list();
      }
      // Every call was one of the outage, or gave an analysis.
      expect(world.requests).toHaveLength(11);
      expect(await list()).toEqual([9.85, 9.85, 9.85, 9.85]);
    },
  );

  it('that one product is unknown is believed, and kept', async () => {
    await amid(NOT_FOUND_PAGE, 1);
    await show(MUG);
    expect(await textOf(OTHER)).toContain(UNKNOWN);
    expect((await show(ASINS[0])).value).toBe(9.85);
    expect(await textOf(OTHER)).toContain(UNKNOWN);
    expect(world.requests).toHaveLength(3);
    // Nothing said that it was about the product, so it is not kept for long.
    await world.wait(600_000);
    expect((await show(OTHER)).value).toBe(9.85);
  });

  it('with a limit of the day waits until the time that it names', async () => {
    const words = 'Your request count (1007) is over the allowed limit of 1000 per day';
    const message = `${words}, retry after 1343.2 minutes`;
    await amid(reply(429, { message }), 1);
    await show(MUG);
    expect(await textOf(OTHER)).toContain(`${PLAN}. We'll retry in about 23 h`);
    expect(await textOf(ASINS[0])).toContain(PLAN);
    expect(world.requests).toHaveLength(2);
  });

  it('that three are unknown is not, and the first two are asked again', async () => {
    await amid(NOT_FOUND_PAGE, 3);
    await show(MUG);
    const [first, second, third] = ASINS;
    expect(await textOf(first)).toContain(UNKNOWN);
    expect(await textOf(second)).toContain(UNKNOWN);
    // The third one waits until calls go on.
    expect((await show(third)).value).toBe(9.85);
    expect((await show(first)).value).toBe(9.85);
    expect((await show(second)).value).toBe(9.85);
  });

  it('with words about the product is believed however often', async () => {
    await amid(reply(404, { error: 'Product not found' }), 5);
    await show(MUG);
    for (const asin of ASINS.slice(0, 5)) expect(await textOf(asin)).toContain(UNKNOWN);
    expect(world.requests).toHaveLength(6);
  });

  it('never refuses the key in a run of robots, and does so in words', async () => {
    await against(
      reply(200, GOOD),
      ...Array.from({ length: 3 }, () => reply(403, AKAMAI)),
      reply(403, { message: 'This API key was revoked' }),
    );
    await show(MUG);
    expect(await textOf(OTHER)).toContain(`${BUSY} (status 403)`);
    expect(await textOf(ASINS[0])).toContain(REFUSED);
  });
});

describe('a limit that names no time that helps', () => {
  it.each([{ 'Retry-After': '0' }, { 'Retry-After': 'Thu, 01 Jan 2015 00:00:00 GMT' }, {}])(
    'is met by pauses that grow (%j)',
    async (headers) => {
      world = createWorld({
        says: () => reply(429, { message: 'Too many requests' }, headers),
      });
      await world.connect(FAST);
      expect(await textOf()).toContain("waiting for the key's limit");
      expect(world.requests.length).toBeLessThan(7);
    },
  );

  it('begins anew once the service has answered', async () => {
    const limited = reply(429, '', { 'Retry-After': '0' });
    const turns = Array.from({ length: 8 }, (_, i) => (i % 2 === 0 ? limited : reply(200, GOOD)));
    await against(...turns);
    const asins = ['B000001000', 'B000001001', 'B000001002', 'B000001003'];
    for (const asin of asins) {
      const { value, startedMs, endedMs } = await show(asin);
      expect(value).toBe(9.85);
      expect(endedMs - startedMs).toBeLessThan(3_000);
    }
  });
});
