SELECT region, COUNT(*) AS orders, SUM(amount) AS revenue
FROM orders
WHERE amount IS NOT NULL
GROUP BY region
ORDER BY revenue DESC
