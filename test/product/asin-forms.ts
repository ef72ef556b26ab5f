// Forms in which products, and what is none, stand in sellers' lists: links, exports, invoices, notes.

export const MUG = 'B0XKT7M4QN';
const LAMP = 'B0RWD92FHC';
const BOOK = '0306406152';
const NOVEL = '043942089X';

export interface Form {
  readonly cell: unknown;
  /** The product in it; null: there is none, or nobody can tell. */
  readonly asin: string | null;
  /** Somebody should look at it, as it may be something else. */
  readonly isMarked?: true;
  readonly market?: 'US' | 'UK';
}

const all = (asin: string | null, cells: readonly unknown[], more: Partial<Form> = {}) =>
  cells.map((cell): Form => ({ cell, asin, ...more }));

/** As it is copied from a page, a report, an invoice or a message. */
const CODES = all(MUG, [
  ...[MUG, MUG.toLowerCase(), 'b0XkT7m4Qn', ` ${MUG}`, `${MUG} `, `\t${MUG}`, `${MUG}\n`],
  ...[`${MUG}\r\n`, `\u00A0${MUG}`, `${MUG}\u200B`, `\uFEFF${MUG}`, `\u200E${MUG}\u200E`],
  ...['B0XKT\u200B7M4QN', 'B0XKT 7M4QN', 'B0 XKT7 M4QN', 'B0XKT-7M4QN', 'B0XKT–7M4QN'],
  ...[`'${MUG}`, `"${MUG}"`, `'${MUG}'`, `“${MUG}”`, `‘${MUG}’`, `«${MUG}»`, `(${MUG})`],
  ...[`[${MUG}]`, `<${MUG}>`, `{${MUG}}`, `*${MUG}*`, `• ${MUG}`, `${MUG},`, `${MUG};`],
  ...[`${MUG}.`, `"${MUG}",`, `ASIN: ${MUG}`, `ASIN:${MUG}`, `ASIN ${MUG}`, `asin ${MUG}`],
  ...[`ASIN# ${MUG}`, `Asin = ${MUG}`, `ASIN : ${MUG}`, `(ASIN: ${MUG})`, `ASIN\t${MUG}`],
  ...['Ｂ０ＸＫＴ７Ｍ４ＱＮ', 'B0XKT‑7M4QN', `${MUG} \u00A0 `],
  ...[`="${MUG}"`, `="${MUG} "`, `= "${MUG}"`],
]);

/** Around and within a code: what shows nothing, from other programs and other scripts. */
const UNSEEN = all(
  MUG,
  [
    ...[0x61c, 0x180e, 0xfe0f, 0xfe00, 0xe0100, 0xad, 0x34f, 0x3164, 0x115f, 0x2800, 0xfff9],
    ...[0x0, 0x7, 0x1b, 0x7f, 0x9d, 0x2061, 0x2066, 0x2067, 0x2068, 0x2069, 0x206a, 0xe0041],
  ]
    .map((code) => String.fromCodePoint(code))
    .flatMap((sign) => [sign + MUG + sign, MUG.slice(0, 5) + sign + MUG.slice(5)]),
);

/** Paths of one product page. */
const PATHS = [
  ...['dp/@', 'dp/@/', 'dp/@?th=1', 'dp/@?th=1&psc=1', 'dp/@/?tag=mine-20', 'dp/@#reviews'],
  ...['dp/@/ref=sr_1_1', 'dp/@/ref=sr_1_1?keywords=mug&qid=17', 'dp/@&tag=mine-20'],
  ...['gp/product/@', 'gp/product/@/', 'gp/product/@?ie=UTF8', 'gp/product/@/ref=ox_sc_1'],
  ...['gp/aw/d/@', 'gp/aw/d/@/ref=mp_s', 'gp/offer-listing/@', 'gp/offer-listing/@/ref=dp_olp'],
  ...['gp/product/glance/@/', 'o/ASIN/@', 'o/@', 'exec/obidos/ASIN/@/', 'exec/obidos/@'],
  ...['product-reviews/@/', 'dp/product/@', '-/en/dp/@', '-/es/Taza/dp/@/', 'd/@'],
  ...['Stoneware-Mug-Set-Four/dp/@', 'Stoneware-Mug/dp/@/ref=sr_1_1_sspa', 'Mug/dp/@?psc=1'],
  ...['Caf%C3%A9-Mug/dp/@', 'Mug-12oz/dp/@/ref=zg_bs_1', 's?k=mug&asin=@', 'gp/cart?asin=@&x=1'],
  ...['sspa/click?ie=UTF8&spc=MTo&url=%2FMug%2Fdp%2F@%2Fref%3Dsr_1_1_sspa'],
  ...['dp/Stoneware-Mug/@', 'dp/bluetooth5/@', 'dp/battery123/@', 'dp/B0RWD92FHC/@'],
  ...['gp/slredirect/picassoRedirect.html?url=%2FMug%2Fdp%2F@%2Fref%3Dsspa'],
];

const linksAt = (host: string, market: 'US' | 'UK') =>
  all(
    MUG,
    PATHS.map((path) => `https://${host}/${path.replace('@', MUG)}`),
    { isMarked: true, market },
  );

const OTHER_LINKS = [
  ...all(
    MUG,
    [
      ...[`http://www.amazon.com/dp/${MUG}`, `www.amazon.com/dp/${MUG}`, `amazon.com/dp/${MUG}`],
      ...[`https://smile.amazon.com/dp/${MUG}`, `https://m.amazon.com/gp/aw/d/${MUG}`],
      ...[`HTTPS://WWW.AMAZON.COM/DP/${MUG}`, `https://www.amazon.com/dp/${MUG.toLowerCase()}`],
      ...[`<https://www.amazon.com/dp/${MUG}>`, `(https://www.amazon.com/dp/${MUG})`],
      ...[`"https://www.amazon.com/dp/${MUG}"`, `[Mug](https://www.amazon.com/dp/${MUG})`],
      ...[`Mug: https://www.amazon.com/dp/${MUG}`, `see https://www.amazon.com/dp/${MUG} !`],
      ...[`https://www.amazon.com/dp/${MUG}\nthanks`, `https://keepa.com/#!product/1-${MUG}`],
      ...[`https://www.amazon.com/dp/${MUG} https://www.amazon.com/gp/product/${MUG}`],
      ...[`https://www.google.com/url?q=https%3A%2F%2Fwww.amazon.com%2Fdp%2F${MUG}&sa=D`],
      ...[`https://web.archive.org/web/2024/https://www.amazon.com/dp/${MUG}`],
    ],
    { isMarked: true, market: 'US' },
  ),
  ...all(
    MUG,
    [`amazon.co.uk/dp/${MUG}`, `www.amazon.co.uk/Mug/dp/${MUG}`, `keepa.com/#!product/2-${MUG}`],
    { isMarked: true, market: 'UK' },
  ),
  ...all(
    MUG,
    [
      ...[`https://tracker.example/product/${MUG}`, `https://tool.example/#/items/${MUG}`],
      `https://notamazon.com/dp/${MUG}`,
      ...[
        `https://sas.selleramp.com/sas/lookup?SasLookup%5Bsearch_term%5D=${MUG}&sas_cost_price=`,
        `sas.selleramp.com/sas/lookup?SasLookup[search_term]=${MUG}`,
        `https://sas.selleramp.com/sas/lookup/?SasLookup%255Bsearch_term%255D%3D${MUG}`,
        `https://tool.example/go?to=https%253A%252F%252Fother.example%252Fitem%252F${MUG}`,
        `https://tool.example/item;id=${MUG.toLowerCase()}`,
      ],
    ],
    { isMarked: true },
  ),
  ...all(
    MUG,
    [
      ...[`https://www.amazon.com/s?k=${MUG}`, `amazon.com/gp/aod/${MUG}`],
      ...[
        `https://www.amazon.com/s?k=${MUG}&crid=2XB0&ref=nb_sb_noss`,
        `amazon.com/wishlist/${MUG}`,
      ],
      ...[`keepa.com/#!product/1-${MUG}`, `https://keepa.com/#!offers/1-${MUG}`],
      `https://keepa.com/iframe_addon.html#1-0-${MUG}`,
      `https://keepa.com/#%21search/1-${MUG}`,
    ],
    { isMarked: true, market: 'US' },
  ),
  ...all(MUG, [`https://www.amazon.co.uk/gp/aod/${MUG}?ref=x`], { isMarked: true, market: 'UK' }),
  ...all('BT00LLINKI', ['amazon.com/dp/BT00LLINKI'], { isMarked: true, market: 'US' }),
  ...all(NOVEL, ['https://www.amazon.com/dp/043942089x/', 'amazon.com/Novel/dp/043942089X'], {
    isMarked: true,
    market: 'US',
  }),
  ...all(null, [
    ...['amazon.de', 'www.amazon.fr', 'amazon.it', 'amazon.es', 'amazon.ca', 'amazon.co.jp'].map(
      (host) => `https://${host}/dp/${MUG}`,
    ),
    ...['amazon.com.au', 'amazon.com.mx', 'amazon.in', 'amazon.nl', 'amazon.se', 'amazon.pl'].map(
      (host) => `https://www.${host}/Mug/dp/${MUG}`,
    ),
    `see https://www.amazon.de/dp/${MUG}`,
    `[Mug](https://www.amazon.de/dp/${MUG})`,
    `https://www.google.com/url?q=https%3A%2F%2Fwww.amazon.de%2Fdp%2F${MUG}`,
    `https://web.archive.org/web/2024/https://www.amazon.de/dp/${MUG}`,
    `https://keepa.com/#!product/3-${MUG}`,
    `https://www.amazon.com/dp/${MUG} https://www.amazon.com/dp/${LAMP}`,
    `https://www.amazon.com/dp/${MUG}X`,
    `https://www.amazon.com/dp/${MUG.slice(0, 9)}`,
    ...['https://amzn.to/3xYzAbC', 'https://a.co/d/0abcDEF', 'amzn.eu/d/abc1234'],
    ...[
      'https://www.amazon.com/',
      'https://www.amazon.com/s?k=mug',
      'https://www.ebay.com/itm/1234567890',
    ],
    ...['https://www.amazon.com/stores/PlayStatio/page', 'https://www.walmart.com/ip/5551234567'],
    ...[
      'https://www.amazon.com/dp/0439420890',
      'https://example.com/',
      `https://tool.example/compare?a=${MUG}&b=${LAMP}`,
      `https://tool.example/mugs-${MUG}`,
      `https://www.amazon.de/s?k=${MUG}`,
      `https://keepa.com/#!offers/3-${MUG}`,
    ],
  ]),
];

/** Among other words, as in a run's own status: no column of them is one of products. */
const WORDS = all(null, [
  `OK ${MUG} US`,
  ...[`${MUG} - Stoneware mug`, `Stoneware mug ${MUG}`, `Stoneware mug (${MUG})`],
  ...[`${MUG} (2 pack)`, `${MUG} x2`, `${MUG}_FBA`, `FBA-${MUG}`, `${MUG}-2PK`, `Mug|${MUG}`],
  ...[`${MUG}: reorder`, `old ${MUG}, again ${MUG}`, `${MUG} / mug`, `${MUG}/US`],
]);

const BOOKS = [
  ...all(BOOK, [
    ...[
      BOOK,
      `="${BOOK}"`,
      '\u2066="0306406152"\u2069',
      '0-306-40615-2',
      '0–306–40615–2',
      '0 306 40615 2',
      `ISBN ${BOOK}`,
      `ISBN:${BOOK}`,
    ],
    ...['ISBN 0-306-40615-2', 'ISBN-10: 0-306-40615-2', 'isbn 0306406152', `'${BOOK}`, ` ${BOOK} `],
    ...[`"${BOOK}"`, `${BOOK},`, `ISBN-10 ${BOOK}`, `ISBN10: ${BOOK}`.replace('10', '-10')],
  ]),
  ...all(NOVEL, [NOVEL, '043942089x', '0-439-42089-X', '0 439 42089 x', `ISBN ${NOVEL}`]),
  ...all('1412775884', ['1412775884', '1-4127-7588-4', 1412775884]),
  ...all(
    BOOK,
    [
      ...['9780306406157', 9780306406157, '978-0-306-40615-7', '978 0 306 40615 7'],
      ...['978–0–306–40615–7', 'ISBN 9780306406157', 'ISBN-13: 978-0-306-40615-7'],
      ...['ISBN-13 : 978-0306406157', '978-0306406157', "'9780306406157", '9780306406157.0'],
      ...['EAN: 9780306406157', '"9780306406157"', '(9780306406157)', '9780306406157;'],
      ...[306406152, '306406152', '306406152.0', ' 306406152 ', 'ISBN 306406152', "'306406152"],
    ],
    { isMarked: true },
  ),
  ...all('0006406157', [6406157, '6406157'], { isMarked: true }),
  ...all('0013110373', [13110373, '13110373', '13110373.0'], { isMarked: true }),
  ...all(NOVEL, ['9780439420891', 9780439420891, '978-0-439-42089-1'], { isMarked: true }),
  ...all(null, [
    ...['9780306406158', '0306406153', 306406153, '043942088X', '9791032305690', 1234567],
    ...['ISBN 0306406151', '978-0-306-40615-8', '979-10-323-0569-0'],
    ...['9.78031E+12', '9,78031E+12', '9.78E+12', '1E+13', '9.7803064062E+12', '="9.78031E+12"'],
    ...[9780140000000, '9780140000000', 9780310000000, 9780000000000, 140000000, 1400000000],
    // Other books by their check digits, were it not for the digits that a program dropped.
    ...[9780200000000, '9780330000000', 9780460000000],
    ...[' 030640615', '03064061522', '978030640615', '97803064061577', -306406152, '-306406152'],
  ]),
];

const BARCODES = all(null, [
  ...[
    '5901234123457',
    5901234123457,
    '590-1234-12345-7',
    'EAN: 5901234123457',
    'EAN-13 5901234123457',
  ],
  ...['012345678905', 12345678905, 'UPC 012345678905', 'UPC-A: 0-12345-67890-5', '0 12345 67890 5'],
  ...['96385075', 96385075, 'EAN-8: 96385075', '15012345678907', 'GTIN-14 15012345678907'],
  ...['4006381333931', '4006381333932', '036000291452', 36000291452, '00012345678905'],
  ...[
    '5012345678900',
    'barcode 5012345678900',
    "'012345678905",
    '5901234123457.0',
    '5,901,234,123,457',
  ],
]);

/** What stands in such columns beside products. */
const NOT_PRODUCTS = all(null, [
  ...[
    'n/a',
    'N/A',
    '-',
    '–',
    '?',
    'TBC',
    'tbd',
    'none',
    'See notes',
    'discontinued',
    'ASIN',
    'asin:',
  ],
  ...['Total', 'Total: 12', 'Grand total', 'Page 1 of 3', 'Supplier A', 'Stoneware', 'PlayStatio'],
  ...[
    '#N/A',
    '#REF!',
    '#VALUE!',
    '#NAME?',
    '#DIV/0!',
    '#NUM!',
    '#ERROR!',
    'Loading...',
    'Loading…',
  ],
  ...[true, false, 0, 1, 42, 12.5, 999_999, '£4.99', '$12.00', '1,240', '12%', '3/4/2025'],
  ...['2025-01-05', '5 Jan 2025', '09:30', new Date(0), '=A2', '+44 20 7946 0958', '020 7946 0958'],
  ...['555-1234', '(555) 123-4567', 'jane@shop.example', 'SKU-12', 'AB-1234', 'PO 4711', 'Box 7'],
  ...[MUG.slice(0, 9), `${MUG}A`, `${MUG}${MUG}`, `${MUG}, ${LAMP}`, `${MUG} or ${LAMP}`],
  ...[`${MUG}\n${LAMP}`, 'В0ХКТ7М4QN', 'B0XKT7M4Q*', 'B0XKT7M4Q?', 'B0XKT7M4_N', 'XB0XKT7M4QN'],
]);

/** Ten letters and digits that may be anything: asked for if somebody wants that, and marked. */
const DOUBTFUL = [
  ...['X0012ABCDE', 'X003KQ7Z1F', 'BLUETOOTH5', 'BATTERY123', 'BATCH12345'],
  ...['SKU1234567', 'PO12345678', 'BOX1234567'],
  ...['B123456789', 'BO8N5WRWNW', 'AB12CD34EF', '0306406I52'],
].map((cell): Form => ({ cell, asin: cell, isMarked: true }));

/** Ten letters and digits that are plainly words or numbers of somebody's own. */
const OF_SOMEBODY = all(null, [
  ...['12 Dock Road', '7 Mill Lane', 'Unit 12 Bay', 'Suite 20 LA', 'Batch 12345', 'Warehouse1'],
  ...['BIN 202400', 'SKU-1234567', 'INV-000123A', 'MUG-BLUE-12', '2PK-MUG-RED'],
]);

export const FORMS: readonly Form[] = [
  ...[
    ...CODES,
    ...UNSEEN,
    ...linksAt('www.amazon.com', 'US'),
    ...linksAt('www.amazon.co.uk', 'UK'),
  ],
  ...[
    ...OTHER_LINKS,
    ...WORDS,
    ...BOOKS,
    ...BARCODES,
    ...NOT_PRODUCTS,
    ...DOUBTFUL,
    ...OF_SOMEBODY,
  ],
];
