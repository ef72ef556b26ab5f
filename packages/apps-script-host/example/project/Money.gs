// Sums of money, to the cent.

function roundToCents(amount) {
  return Math.round(amount * 100) / 100;
}

/**
 * Adds a tax to each price of a range.
 *
 * @param {number[][]} prices One or more prices.
 * @param {number} rate Such as 20%.
 * @return The prices with tax.
 * @customfunction
 */
function WITH_TAX(prices, rate) {
  if (Array.isArray(prices)) return prices.map((row) => row.map((price) => WITH_TAX(price, rate)));
  return roundToCents(prices * (1 + rate));
}
