"""Why an order is forbidden: `orders` judges every order, `drive` those to a vehicle, element by element."""
