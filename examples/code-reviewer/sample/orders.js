export async function findOrders(database, customer) {
  return await database.query(`SELECT * FROM orders WHERE customer = '${customer}'`);
}

export async function saveOrder(database, order) {
  try {
    await database.insert("orders", order);
  } catch {
    // It is probably there already.
  }
}
