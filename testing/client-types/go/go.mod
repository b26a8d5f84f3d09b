module example.com/types

go 1.19
